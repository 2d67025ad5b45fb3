package io.plat.apiserver;

import io.plat.apiserver.allocation.ItemRange;
import io.plat.apiserver.objects.ServiceNetworks;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** Flags for allocating service addresses and ports, and for the service of this server. */
final class ServiceFlags {
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
        advertised = flags.optional("advertise-address", AdvertisedAddress.TYPE);
        reconciler = flags.value("endpoint-reconciler-type", FlagType.word(List.of("lease", NONE)));
    }

    /** Returns the address to advertise for this server; empty if there is none. */
    Optional<String> place(FlagValues values, InetAddress bound) {
        return values.get(reconciler).equals(NONE)
                ? Optional.empty()
                : AdvertisedAddress.of(values.get(advertised), bound);
    }

    ServiceNetworks networks(FlagValues values) {
        return new ServiceNetworks(values.get(addresses), values.get(ports));
    }
}
