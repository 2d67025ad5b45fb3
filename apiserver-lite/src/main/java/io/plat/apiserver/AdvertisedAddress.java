package io.plat.apiserver;

import io.plat.apiserver.rules.IpLiterals;
import io.plat.http.commandline.FlagType;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Address at which clients reach this server, as published in the endpoints of the {@code kubernetes} service. */
final class AdvertisedAddress {
    /** Parses a reachable address; the unspecified address counts as an absent flag. */
    static final FlagType<InetAddress> TYPE = new FlagType<>(
            "an IPv4 address such as 192.0.2.10, neither of this machine alone nor of its link",
            text -> IpLiterals.address(text).filter(address -> address.isAnyLocalAddress() || canBeReached(address)));

    private static final Logger LOG = LoggerFactory.getLogger(AdvertisedAddress.class);

    private AdvertisedAddress() {}

    /** Returns whether an address can be published in endpoints, all of which are of one IP family. */
    private static boolean canBeReached(InetAddress address) {
        return address instanceof Inet4Address
                && !address.isAnyLocalAddress()
                && !address.isLoopbackAddress()
                && !address.isLinkLocalAddress()
                && !address.isMulticastAddress();
    }

    /**
     * Returns the configured address, else the bound address, else the first address of this machine.
     *
     * @param named the flag's value
     */
    static Optional<String> of(Optional<InetAddress> named, InetAddress bound) {
        return named.filter(AdvertisedAddress::canBeReached)
                .or(() -> Optional.of(bound).filter(AdvertisedAddress::canBeReached))
                .or(AdvertisedAddress::ofThisMachine)
                .map(InetAddress::getHostAddress);
    }

    private static Optional<InetAddress> ofThisMachine() {
        try {
            Optional<InetAddress> found = NetworkInterface.networkInterfaces()
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .filter(AdvertisedAddress::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(AdvertisedAddress::canBeReached)
                    .findFirst();
            if (found.isEmpty()) {
                LOG.warn("no address of this machine is usable for the kubernetes service: set --advertise-address");
            }
            return found;
        } catch (SocketException unknown) {
            LOG.warn("the addresses of this machine could not be determined: set --advertise-address", unknown);
            return Optional.empty();
        }
    }

    private static boolean isUp(NetworkInterface one) {
        try {
            return one.isUp();
        } catch (SocketException gone) {
            return false;
        }
    }
}
