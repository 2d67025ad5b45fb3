package io.plat.apiserver.objects;

import io.plat.apiserver.allocation.ItemRange;

/**
 * What services are given.
 *
 * @param addresses where their addresses come from
 * @param ports where the ports come from under which every node is to serve them
 */
public record ServiceNetworks(ItemRange addresses, ItemRange ports) {
    /** The range that installers of the field choose. */
    public static final String ADDRESSES = "10.96.0.0/12";

    /** The range that existing servers have. */
    public static final String PORTS = "30000-32767";

    /** What a server has that is told nothing. */
    public static final ServiceNetworks DEFAULT = new ServiceNetworks(
            ItemRange.addresses(ADDRESSES).orElseThrow(), ItemRange.ports(PORTS).orElseThrow());
}
