package io.plat.apiserver;

import io.plat.apiserver.lending.AddressRange;
import io.plat.apiserver.lending.PortRange;
import io.plat.apiserver.resource.ServiceNetworks;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;

/** The flags about what services are given. */
final class ServiceFlags {
    private final Flag<AddressRange> addresses;
    private final Flag<PortRange> ports;

    ServiceFlags(FlagSet flags) {
        flags.group("Services");
        addresses = flags.value(
                "service-cluster-ip-range",
                new FlagType<>("CIDR", "a range of IPv4 addresses such as 10.0.0.0/24, /8 to /30", AddressRange::parse),
                ServiceNetworks.ADDRESSES,
                "Where services get their cluster IPs from; every server of one etcd has to be told the same.");
        ports = flags.value(
                "service-node-port-range",
                new FlagType<>("PORTS", "a range of ports such as 30000-32767", PortRange::parse),
                ServiceNetworks.PORTS,
                "Where services of type NodePort and LoadBalancer get the ports of nodes from.");
    }

    ServiceNetworks networks(FlagValues values) {
        return new ServiceNetworks(values.get(addresses), values.get(ports));
    }
}
