package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdvertisedAddressTest {
    private static Optional<String> of(String named, String bound) {
        return ServiceFlags.reachable(
                named.isEmpty() ? Optional.empty() : Optional.of(InetAddress.ofLiteral(named)),
                InetAddress.ofLiteral(bound));
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.10, 127.0.0.1,  192.0.2.10",
        "192.0.2.10, 192.0.2.20, 192.0.2.10",
        "'',         192.0.2.20, 192.0.2.20",
        "0.0.0.0,    192.0.2.20, 192.0.2.20"
    })
    void advertiseAddressFlagTakesPrecedence(String named, String bound, String expected) {
        assertThat(of(named, bound)).contains(expected);
    }

    /** Without an address on this machine nothing is advertised. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "::1", "::", "fd00::1"})
    void unreachableBindAddressIsReplacedByThatOfTheMachine(String bound) throws SocketException {
        List<String> own = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(Inet4Address.class::isInstance)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .map(address -> String.valueOf(address.getHostAddress()))
                .toList();
        assertThat(of("", bound).map(own::contains)).isEqualTo(own.isEmpty() ? Optional.empty() : Optional.of(true));
    }

    @Test
    void unspecifiedAddressMeansNone() {
        assertThat(ServiceFlags.ROUTABLE_ADDRESS.parser().apply("0.0.0.0")).isPresent();
        assertThat(ServiceFlags.ROUTABLE_ADDRESS.parser().apply("192.0.2.010")).isEmpty();
    }
}
