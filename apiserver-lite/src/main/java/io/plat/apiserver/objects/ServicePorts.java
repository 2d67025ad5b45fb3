package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Node port fields of a service: which are kept on update, and which values are invalid. */
final class ServicePorts {
    static final String PORT = "nodePort";
    static final String HEALTH = "healthCheckNodePort";
    private static final String ALLOCATE = "allocateLoadBalancerNodePorts";
    private static final String BALANCER = "LoadBalancer";

    /** Service types with external traffic. */
    private static final Set<String> OUTSIDE = Set.of(BALANCER, "NodePort");

    private ServicePorts() {}

    /** Returns whether a service has external traffic. */
    static boolean outside(JsonNode spec) {
        return OUTSIDE.contains(Json.text(spec, "type"));
    }

    private static boolean balanced(JsonNode spec) {
        return Json.text(spec, "type").equals(BALANCER);
    }

    /** Returns whether all ports of a service have node ports. */
    static boolean has(JsonNode spec) {
        return outside(spec) && (!balanced(spec) || spec.path(ALLOCATE).asBoolean(true));
    }

    /** Returns whether a service has a health check node port. */
    static boolean hasHealth(JsonNode spec) {
        return balanced(spec) && Json.text(spec, "externalTrafficPolicy").equals("Local");
    }

    static void prepare(ObjectNode spec, @Nullable JsonNode before) {
        if (before != null && outside(before) && !outside(spec)) {
            ServiceAddresses.drop(List.of("externalTrafficPolicy"), spec, before);
        }
        if (before != null && balanced(before) && !balanced(spec)) {
            ServiceAddresses.drop(List.of(ALLOCATE), spec, before);
        }
        if (outside(spec)) {
            ServiceRules.putAbsent(spec, "externalTrafficPolicy", "Cluster");
        }
        if (balanced(spec) && !spec.has(ALLOCATE)) {
            spec.put(ALLOCATE, true);
        }
        if (before != null) {
            keep(spec, before);
        }
    }

    private static void keep(ObjectNode spec, JsonNode before) {
        if (has(before) && has(spec)) {
            keepByName(spec, before);
        } else if (has(before)) {
            Set<Integer> given = used(before);
            for (JsonNode port : spec.path("ports")) {
                if (given.contains(port.path(PORT).asInt())) {
                    ((ObjectNode) port).remove(PORT);
                }
            }
        }
        if (hasHealth(before) && hasHealth(spec)) {
            ServiceAddresses.keep(List.of(HEALTH), spec, before);
        } else if (hasHealth(before)) {
            ServiceAddresses.drop(List.of(HEALTH), spec, before);
        }
    }

    /** Restores the node port of a port by its name, if omitted. */
    private static void keepByName(ObjectNode spec, JsonNode before) {
        Map<String, Integer> given = new HashMap<>();
        before.path("ports")
                .forEach(port ->
                        given.put(Json.text(port, "name"), port.path(PORT).asInt()));
        Set<Integer> used = used(spec);
        for (JsonNode port : spec.path("ports")) {
            int kept = given.getOrDefault(Json.text(port, "name"), 0);
            if (port.path(PORT).asInt() == 0 && kept != 0 && used.add(kept)) {
                ((ObjectNode) port).put(PORT, kept);
            }
        }
    }

    /** Returns the node ports that a service specifies. */
    static Set<Integer> used(JsonNode spec) {
        Set<Integer> used = new HashSet<>();
        spec.path("ports").forEach(port -> used.add(port.path(PORT).asInt()));
        used.add(spec.path(HEALTH).asInt());
        used.remove(0);
        return used;
    }
}
