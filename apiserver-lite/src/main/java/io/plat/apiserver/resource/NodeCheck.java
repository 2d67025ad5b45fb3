package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.FieldWords;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is wrong with nodes: in the words of existing servers. */
final class NodeCheck {
    private static final String ONCE = " except from \"\" to valid";

    private NodeCheck() {}

    /** Checks one. */
    static void check(JsonNode node, Causes causes) {
        taints(node.path("spec").path("taints"), causes);
        ranges(node.path("spec").path("podCIDRs"), causes);
    }

    private static void taints(JsonNode taints, Causes causes) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < taints.size(); i++) {
            JsonNode taint = taints.path(i);
            // The field tells of taints as if they were metadata.
            String field = "metadata.taints[" + i + "]";
            String key = Json.text(taint, "key");
            String effect = Json.text(taint, "effect");
            if (!key.isEmpty()) {
                causes.qualifiedName(field + ".key", key);
            }
            causes.name(field + ".value", Json.text(taint, "value"), NameRule.LABEL_VALUE);
            if (!seen.add(effect + " " + key)) {
                String shown = Json.object()
                        .put("Key", key)
                        .put("Value", Json.text(taint, "value"))
                        .put("Effect", effect)
                        .putNull("TimeAdded")
                        .toString();
                causes.add(
                        "FieldValueDuplicate",
                        FieldWords.duplicate(FieldWords.clipped(shown))
                                + ": taints must be unique by key and effect pair",
                        field);
            }
        }
    }

    private static void ranges(JsonNode ranges, Causes causes) {
        boolean valid = true;
        for (int i = 0; i < ranges.size(); i++) {
            String range = ranges.path(i).asText();
            if (IpLiterals.range(range).isEmpty()) {
                IpLiterals.checkRange("spec.podCIDRs[" + i + "]", range, causes);
                valid = false;
            }
        }
        if (valid && ranges.size() > 1 && !IpLiterals.areOfBothFamilies(MetadataRules.texts(ranges))) {
            causes.invalidValue("spec.podCIDRs", ranges, "may specify no more than one CIDR for each IP family");
        }
    }

    /** Checks what a node has, as itself says. */
    static void checkStatus(JsonNode node, Causes causes) {
        for (String kind : List.of("capacity", "allocatable")) {
            for (Map.Entry<String, JsonNode> amount :
                    node.path("status").path(kind).properties()) {
                if (QualityOfService.amount(amount.getValue()).signum() < 0) {
                    causes.invalid(
                            "status." + kind + "." + amount.getKey(),
                            amount.getValue().asText(),
                            "must be greater than or equal to 0");
                }
            }
        }
    }

    /** Checks what is said once. */
    static void checkUpdate(JsonNode node, JsonNode before, Causes causes) {
        JsonNode ranges = node.path("spec").path("podCIDRs");
        JsonNode old = before.path("spec").path("podCIDRs");
        if (!old.isEmpty() && !ranges.equals(old)) {
            causes.forbidden("spec.podCIDRs", "node updates may not change podCIDR" + ONCE);
        }
        String provider = Json.text(before.path("spec"), "providerID");
        if (!provider.isEmpty() && !provider.equals(Json.text(node.path("spec"), "providerID"))) {
            causes.forbidden("spec.providerID", "node updates may not change providerID" + ONCE);
        }
    }
}
