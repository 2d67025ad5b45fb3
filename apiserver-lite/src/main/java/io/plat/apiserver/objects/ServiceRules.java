package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.tree.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of services. {@link ServiceAllocation} allocates their cluster IPs and node ports; nothing is routed here. */
final class ServiceRules implements TypeRules {
    static final String PORT = "nodePort";
    static final String HEALTH = "healthCheckNodePort";
    private static final String ALLOCATE = "allocateLoadBalancerNodePorts";
    private static final String BALANCER = "LoadBalancer";

    /** Service types with external traffic. */
    private static final Set<String> OUTSIDE = Set.of(BALANCER, "NodePort");

    static final String ONE = "clusterIP";
    static final String ALL = "clusterIPs";
    static final String FAMILIES = "ipFamilies";
    static final String POLICY = "ipFamilyPolicy";
    static final String HEADLESS = "None";
    private static final String EXTERNAL_NAME = "ExternalName";
    private static final List<String> FIELDS = List.of(ONE, ALL, FAMILIES, POLICY);

    @Override
    public void prepare(ObjectNode service, @Nullable ObjectNode before) {
        Rules.fill("services", service, before);
        ObjectNode spec = Json.child(service, "spec");
        @Nullable JsonNode previous = before == null ? null : before.path("spec");
        prepareAddresses(spec, previous);
        preparePorts(spec, previous);
        Rules.fill("services/ports", service, before);
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

    /** Returns whether a service has cluster IPs, or is headless. */
    static boolean hasAddresses(JsonNode spec) {
        return !Json.text(spec, "type").equals(EXTERNAL_NAME);
    }

    static boolean headless(JsonNode spec) {
        return Json.text(spec, ONE).equals(HEADLESS);
    }

    /** Synchronizes {@code clusterIP} and {@code clusterIPs}, and keeps previous values. */
    static void prepareAddresses(ObjectNode spec, @Nullable JsonNode before) {
        follow(spec, before);
        if (before == null) {
            return;
        }
        if (hasAddresses(before) && hasAddresses(spec)) {
            if (Json.text(spec, ONE).isEmpty() && spec.path(ALL).isEmpty()) {
                keep(List.of(ONE, ALL), spec, before);
            }
            keep(List.of(POLICY), spec, before);
        } else if (hasAddresses(before)) {
            drop(FIELDS, spec, before);
        }
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

    /** Restores omitted fields from the previous state. */
    static void keep(List<String> fields, ObjectNode spec, JsonNode before) {
        for (String field : fields) {
            if (!spec.has(field) && before.has(field)) {
                spec.set(field, before.path(field).deepCopy());
            }
        }
    }

    /** Removes fields that no longer apply; a field that the request sets remains, and is rejected. */
    static void drop(List<String> fields, ObjectNode spec, JsonNode before) {
        for (String field : fields) {
            if (spec.path(field).equals(before.path(field))) {
                spec.remove(field);
            }
        }
    }

    /** Returns whether a service has external traffic. */
    static boolean outside(JsonNode spec) {
        return OUTSIDE.contains(Json.text(spec, "type"));
    }

    private static boolean balanced(JsonNode spec) {
        return Json.text(spec, "type").equals(BALANCER);
    }

    static boolean hasPorts(JsonNode spec) {
        return outside(spec) && (!balanced(spec) || spec.path(ALLOCATE).asBoolean(true));
    }

    /** Returns whether a service has a health check node port. */
    static boolean hasHealth(JsonNode spec) {
        return balanced(spec) && Json.text(spec, "externalTrafficPolicy").equals("Local");
    }

    static void preparePorts(ObjectNode spec, @Nullable JsonNode before) {
        if (before != null && outside(before) && !outside(spec)) {
            ServiceRules.drop(List.of("externalTrafficPolicy"), spec, before);
        }
        if (before != null && balanced(before) && !balanced(spec)) {
            ServiceRules.drop(List.of(ALLOCATE), spec, before);
        }
        if (outside(spec)) {
            ServiceRules.putAbsent(spec, "externalTrafficPolicy", "Cluster");
        }
        if (balanced(spec) && !spec.has(ALLOCATE)) {
            spec.put(ALLOCATE, true);
        }
        if (before != null) {
            keepPorts(spec, before);
        }
    }

    private static void keepPorts(ObjectNode spec, JsonNode before) {
        if (hasPorts(before) && hasPorts(spec)) {
            keepByName(spec, before);
        } else if (hasPorts(before)) {
            Set<Integer> previous = used(before);
            for (JsonNode port : spec.path("ports")) {
                if (previous.contains(port.path(PORT).asInt())) {
                    ((ObjectNode) port).remove(PORT);
                }
            }
        }
        if (hasHealth(before) && hasHealth(spec)) {
            ServiceRules.keep(List.of(HEALTH), spec, before);
        } else if (hasHealth(before)) {
            ServiceRules.drop(List.of(HEALTH), spec, before);
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

    /** Returns the node ports that a service specifies. */
    static Set<Integer> used(JsonNode spec) {
        Set<Integer> used = new HashSet<>();
        spec.path("ports").forEach(port -> used.add(port.path(PORT).asInt()));
        used.add(spec.path(HEALTH).asInt());
        used.remove(0);
        return used;
    }
}
