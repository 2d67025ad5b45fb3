package io.plat.apiserver;

import io.plat.apiserver.allocation.ItemRange;
import io.plat.apiserver.resource.ServiceNetworks;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** The flags about what services are given, and about the one that leads to the servers. */
final class ServiceFlags {
    /** Endpoints are not written. */
    private static final String NONE = "none";

    private final Flag<ItemRange> addresses;
    private final Flag<ItemRange> ports;
    private final Flag<Optional<InetAddress>> advertised;
    private final Flag<String> reconciler;

    ServiceFlags(FlagSet flags) {
        flags.group("Services");
        addresses = flags.value(
                "service-cluster-ip-range",
                new FlagType<>(
                        "CIDR", "a range of IPv4 addresses such as 10.0.0.0/24, /8 to /30", ItemRange::addresses),
                ServiceNetworks.ADDRESSES,
                "Where services get their cluster IPs from; every server of one etcd has to be told the same.");
        ports = flags.value(
                "service-node-port-range",
                new FlagType<>("PORTS", "a range of ports such as 30000-32767", ItemRange::ports),
                ServiceNetworks.PORTS,
                "Where services of type NodePort and LoadBalancer get the ports of nodes from.");
        advertised = flags.optional(
                "advertise-address",
                AdvertisedAddress.TYPE,
                "Where clients reach this server, as the endpoints of the service kubernetes say it. Without the flag"
                    + " it is the address that is listened on, or this machine's where that is of no use to others.");
        reconciler = flags.value(
                "endpoint-reconciler-type",
                FlagType.word(List.of("lease", NONE)),
                "lease",
                "Whether the endpoints of the service kubernetes are kept: each server's address for as long as it is"
                        + " there.");
    }

    /**
     * The address to be said of this server; empty if none is.
     *
     * @param bound where it listens
     */
    Optional<String> place(FlagValues values, InetAddress bound) {
        return values.get(reconciler).equals(NONE)
                ? Optional.empty()
                : AdvertisedAddress.of(values.get(advertised), bound);
    }

    ServiceNetworks networks(FlagValues values) {
        return new ServiceNetworks(values.get(addresses), values.get(ports));
    }
}
