package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;

/** A field that became a list later: the one of old is the list's first element, and counts where they differ. */
final class PairedFields {
    private PairedFields() {}

    /** The addresses of a pod. */
    static void ofPod(ObjectNode status) {
        String address = Json.text(status, "podIP");
        String first = Json.text(status.path("podIPs").path(0), "ip");
        if (address.isEmpty() && !first.isEmpty()) {
            status.put("podIP", first);
        } else if (!address.equals(first)) {
            status.putArray("podIPs").addObject().put("ip", address);
        }
    }

    /** The ranges that a node gives addresses from. */
    static void ofNode(ObjectNode spec) {
        String range = Json.text(spec, "podCIDR");
        String first = spec.path("podCIDRs").path(0).asText("");
        if (range.isEmpty() && !first.isEmpty()) {
            spec.put("podCIDR", first);
        } else if (!range.equals(first)) {
            spec.putArray("podCIDRs").add(range);
        }
    }
}
