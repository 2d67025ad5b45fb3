package io.plat.apiserver.objects;

import io.plat.apiserver.allocation.ItemRange;

/** Ranges for services. */
public record ServiceNetworks(ItemRange addresses, ItemRange ports) {
    /** Default of Kubernetes installers. */
    public static final String ADDRESSES = "10.96.0.0/12";

    /** Default of kube-apiserver. */
    public static final String PORTS = "30000-32767";

    /** Default ranges. */
    public static final ServiceNetworks DEFAULT = new ServiceNetworks(
            ItemRange.addresses(ADDRESSES).orElseThrow(), ItemRange.ports(PORTS).orElseThrow());
}
