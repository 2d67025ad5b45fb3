package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.tree.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of services. {@link ServiceAllocation} allocates their cluster IPs and node ports; nothing is routed here. */
final class ServiceRules implements TypeRules {
    static final String PORT = "nodePort";
    static final String HEALTH = "healthCheckNodePort";
    private static final String BALANCER = "LoadBalancer";

    private static final Set<String> OUTSIDE = Set.of(BALANCER, "NodePort");

    static final String ONE = "clusterIP";
    static final String ALL = "clusterIPs";
    static final String FAMILIES = "ipFamilies";
    static final String POLICY = "ipFamilyPolicy";
    static final String HEADLESS = "None";

    @Override
    public void prepare(ObjectNode service, @Nullable ObjectNode before) {
        Rules.fill("services", service, before);
        ObjectNode spec = Json.child(service, "spec");
        @Nullable JsonNode previous = before == null ? null : before.path("spec");
        follow(spec, previous);
        if (previous != null && hasPorts(previous)) {
            keepPorts(spec, previous);
        }
        Rules.fill("services/complete", service, before);
        if (before == null) {
            service.putObject("status").putObject("loadBalancer");
        } else {
            service.set("status", before.path("status").deepCopy());
        }
    }

    static void putAbsent(ObjectNode object, String field, String value) {
        if (!object.has(field)) {
            object.put(field, value);
        }
    }

    @Override
    public String definition() {
        return "services";
    }

    static boolean hasAddresses(JsonNode spec) {
        return !Json.text(spec, "type").equals("ExternalName");
    }

    static boolean headless(JsonNode spec) {
        return Json.text(spec, ONE).equals(HEADLESS);
    }

    /** Applies a change of {@code clusterIP} to {@code clusterIPs}. */
    private static void follow(ObjectNode spec, @Nullable JsonNode before) {
        String one = Json.text(spec, ONE);
        boolean alone = before != null
                && !one.equals(Json.text(before, ONE))
                && spec.path(ALL).equals(before.path(ALL));
        if (one.isEmpty() && alone) {
            spec.remove(ALL);
        } else if (!one.isEmpty() && (alone || spec.path(ALL).isEmpty())) {
            spec.putArray(ALL).add(one);
        }
    }

    static boolean outside(JsonNode spec) {
        return OUTSIDE.contains(Json.text(spec, "type"));
    }

    private static boolean balanced(JsonNode spec) {
        return Json.text(spec, "type").equals(BALANCER);
    }

    static boolean hasPorts(JsonNode spec) {
        return outside(spec)
                && (!balanced(spec)
                        || spec.path("allocateLoadBalancerNodePorts").asBoolean(true));
    }

    static boolean hasHealth(JsonNode spec) {
        return balanced(spec) && Json.text(spec, "externalTrafficPolicy").equals("Local");
    }

    /** Restores the node ports of a service that keeps them, and removes the previous ones from one that no longer has any. */
    private static void keepPorts(ObjectNode spec, JsonNode before) {
        if (hasPorts(spec)) {
            keepByName(spec, before);
            return;
        }
        Set<Integer> previous = used(before);
        for (JsonNode port : spec.path("ports")) {
            if (previous.contains(port.path(PORT).asInt())) {
                ((ObjectNode) port).remove(PORT);
            }
        }
    }

    /** Restores the node port of a port by its name, if omitted. */
    private static void keepByName(ObjectNode spec, JsonNode before) {
        Map<String, Integer> previous = new HashMap<>();
        before.path("ports")
                .forEach(port ->
                        previous.put(Json.text(port, "name"), port.path(PORT).asInt()));
        Set<Integer> used = used(spec);
        for (JsonNode port : spec.path("ports")) {
            int kept = previous.getOrDefault(Json.text(port, "name"), 0);
            if (port.path(PORT).asInt() == 0 && kept != 0 && used.add(kept)) {
                ((ObjectNode) port).put(PORT, kept);
            }
        }
    }

    static Set<Integer> used(JsonNode spec) {
        Set<Integer> used = new HashSet<>();
        spec.path("ports").forEach(port -> used.add(port.path(PORT).asInt()));
        used.add(spec.path(HEALTH).asInt());
        used.remove(0);
        return used;
    }
}
