package io.plat.tls.x509;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HostSyntaxTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                // text, looks like an address, is the address, is a name
                "localhost, false, , true",
                "a.example.com, false, , true",
                "*.example.com, false, , true",
                "A_b-c.example, false, , true",
                "127.0.0.1, true, 127.0.0.1, false",
                "::1, true, 0:0:0:0:0:0:0:1, false",
                "2001:DB8::a, true, 2001:db8:0:0:0:0:0:a, false",
                "999.0.0.1, true, , false",
                "1.2.3, true, , false",
                "1.2.3.4.5, true, , false",
                "12345, true, , false",
                "fe80::1%eth0, true, , false",
                "localhost:8443, true, , false",
                ":, true, , false",
                "a..b, false, , false",
                "a b, false, , false",
                "a/b, false, , false",
                "-a.example, false, , false",
                "a-.example, false, , false",
                "a.*.example, false, , false",
                "*, false, , false",
                "f*.example, false, , false",
                "\"\", false, , false",
                "ä.example, false, , false",
            })
    void distinguishesAddressesAndNames(String text, boolean looks, @Nullable String address, boolean name) {
        assertThat(ServerName.HostSyntax.looksLikeAddress(text)).isEqualTo(looks);
        assertThat(ServerName.HostSyntax.address(text)
                        .map(InetAddress::getHostAddress)
                        .orElse(null))
                .isEqualTo(address);
        assertThat(ServerName.HostSyntax.isName(text)).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({"63, 1, true", "64, 1, false", "61, 4, true", "63, 4, false"})
    void limitsLabelsAndNames(int label, int labels, boolean name) {
        String text = ("a".repeat(label) + ".").repeat(labels) + "e";

        assertThat(ServerName.HostSyntax.isName(text)).isEqualTo(name);
    }
}
