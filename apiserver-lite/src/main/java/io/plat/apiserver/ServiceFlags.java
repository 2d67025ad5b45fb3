package io.plat.apiserver;

import io.plat.apiserver.allocation.ItemRange;
import io.plat.apiserver.objects.ServiceNetworks;
import io.plat.cel.text.IpLiterals;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Flags for allocating service addresses and ports, and for the service of this server. */
final class ServiceFlags {
    /** Parses a routable address; the unspecified address counts as an absent flag. */
    static final FlagType<InetAddress> ROUTABLE_ADDRESS = new FlagType<>(
            "an IPv4 address such as 192.0.2.10 that is neither loopback nor link-local",
            text -> IpLiterals.address(text).filter(address -> address.isAnyLocalAddress() || isRoutable(address)));

    private static final Logger LOG = LoggerFactory.getLogger(ServiceFlags.class);
    /** Disables writing of endpoints. */
    private static final String NONE = "none";

    private final Flag<ItemRange> addresses;
    private final Flag<ItemRange> ports;
    private final Flag<Optional<InetAddress>> advertised;
    private final Flag<String> reconciler;

    ServiceFlags(FlagSet flags) {
        addresses = flags.value(
                "service-cluster-ip-range",
                new FlagType<>("a range of IPv4 addresses such as 10.0.0.0/24, /8 to /30", ItemRange::addresses));
        ports = flags.value(
                "service-node-port-range", new FlagType<>("a range of ports such as 30000-32767", ItemRange::ports));
        advertised = flags.optional("advertise-address", ROUTABLE_ADDRESS);
        reconciler = flags.value("endpoint-reconciler-type", FlagType.word(List.of("lease", NONE)));
    }

    /** Returns the address to advertise for this server; empty if there is none. */
    Optional<String> advertisedAddress(FlagValues values, InetAddress bound) {
        return values.get(reconciler).equals(NONE) ? Optional.empty() : reachable(values.get(advertised), bound);
    }

    ServiceNetworks networks(FlagValues values) {
        return new ServiceNetworks(values.get(addresses), values.get(ports));
    }

    /** Returns whether an address can be published in endpoints, all of which are of one IP family. */
    private static boolean isRoutable(InetAddress address) {
        return address instanceof Inet4Address
                && !address.isAnyLocalAddress()
                && !address.isLoopbackAddress()
                && !address.isLinkLocalAddress()
                && !address.isMulticastAddress();
    }

    /** Returns the configured address, else the bound address, else the first address of this machine. */
    static Optional<String> reachable(Optional<InetAddress> configured, InetAddress bound) {
        return configured
                .filter(ServiceFlags::isRoutable)
                .or(() -> Optional.of(bound).filter(ServiceFlags::isRoutable))
                .or(ServiceFlags::firstOfMachine)
                .map(InetAddress::getHostAddress);
    }

    private static Optional<InetAddress> firstOfMachine() {
        try {
            Optional<InetAddress> address = NetworkInterface.networkInterfaces()
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .filter(ServiceFlags::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(ServiceFlags::isRoutable)
                    .findFirst();
            if (address.isEmpty()) {
                LOG.warn("no address of this machine is usable for the kubernetes service: set --advertise-address");
            }
            return address;
        } catch (SocketException unknown) {
            LOG.warn("the addresses of this machine could not be determined: set --advertise-address", unknown);
            return Optional.empty();
        }
    }

    private static boolean isUp(NetworkInterface networkInterface) {
        try {
            return networkInterface.isUp();
        } catch (SocketException gone) {
            return false;
        }
    }
}
