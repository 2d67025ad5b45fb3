package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a client left unsaid and other fields say, of types that are described by data otherwise: as existing servers fill it in. */
final class DependentStandards {
    private static final int CPU_TARGET = 80;

    private DependentStandards() {}

    static void fill(String storage, ObjectNode object) {
        if (!(object.path("spec") instanceof ObjectNode spec)) {
            return;
        }
        switch (storage) {
            case "networkpolicies.networking.k8s.io" -> policyTypes(spec);
            case "limitranges" -> spec.path("limits").forEach(item -> limits((ObjectNode) item));
            case AutoscalerForms.STORAGE -> autoscaler(spec);
            default -> {}
        }
    }

    /** A policy is about what comes in, and about what goes out where it has rules for that. */
    private static void policyTypes(ObjectNode spec) {
        if (spec.path("policyTypes").isEmpty()) {
            ArrayNode types = spec.putArray("policyTypes").add("Ingress");
            if (!spec.path("egress").isEmpty()) {
                types.add("Egress");
            }
        }
    }

    /** Of containers: who says no limit has the largest, who asks for nothing asks for its limit, or for the least there is. */
    private static void limits(ObjectNode item) {
        if (!Json.text(item, "type").equals("Container")) {
            return;
        }
        putAbsent(item, "default", item.path("max"));
        putAbsent(item, "defaultRequest", item.path("default"));
        putAbsent(item, "defaultRequest", item.path("min"));
    }

    private static void putAbsent(ObjectNode item, String field, JsonNode amounts) {
        amounts.properties().forEach(amount -> {
            ObjectNode own = Json.child(item, field);
            if (!own.has(amount.getKey())) {
                own.set(amount.getKey(), amount.getValue());
            }
        });
    }

    private static void autoscaler(ObjectNode spec) {
        if (spec.path("metrics").isEmpty()) {
            ObjectNode metric = spec.putArray("metrics").addObject().put("type", "Resource");
            metric.putObject("resource")
                    .put("name", "cpu")
                    .putObject("target")
                    .put("type", "Utilization")
                    .put("averageUtilization", CPU_TARGET);
        }
        if (spec.path("behavior") instanceof ObjectNode behavior) {
            ObjectNode up = rules(behavior, "scaleUp");
            if (!up.has("stabilizationWindowSeconds")) {
                up.put("stabilizationWindowSeconds", 0);
            }
            if (up.path("policies").isEmpty()) {
                ArrayNode policies = up.putArray("policies");
                policy(policies, "Pods", 4);
                policy(policies, "Percent", 100);
            }
            ObjectNode down = rules(behavior, "scaleDown");
            if (down.path("policies").isEmpty()) {
                policy(down.putArray("policies"), "Percent", 100);
            }
        }
    }

    private static ObjectNode rules(ObjectNode behavior, String direction) {
        ObjectNode rules = Json.child(behavior, direction);
        ServiceRules.putAbsent(rules, "selectPolicy", "Max");
        return rules;
    }

    private static void policy(ArrayNode policies, String type, int value) {
        policies.addObject().put("type", type).put("value", value).put("periodSeconds", 15);
    }
}
