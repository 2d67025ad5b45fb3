package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.FieldWords;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validation of nodes, with the messages of kube-apiserver. */
final class NodeCheck {
    private static final String ONCE = " except from \"\" to valid";

    private NodeCheck() {}

    static void check(Field node) {
        // kube-apiserver places taints in the metadata.
        taints(node.at("metadata").as("taints", node.value().path("spec").path("taints")));
        ranges(node.at("spec").at("podCIDRs"));
    }

    private static void taints(Field taints) {
        Set<String> seen = new HashSet<>();
        for (Field taint : taints) {
            String key = taint.text("key");
            String effect = taint.text("effect");
            taint.at("key").optionalQualifiedName();
            taint.at("value").name(NameRule.LABEL_VALUE);
            if (!seen.add(effect + " " + key)) {
                String shown = Json.object()
                        .put("Key", key)
                        .put("Value", taint.text("value"))
                        .put("Effect", effect)
                        .putNull("TimeAdded")
                        .toString();
                taint.add(
                        "FieldValueDuplicate",
                        FieldWords.duplicate(FieldWords.clipped(shown))
                                + ": taints must be unique by key and effect pair");
            }
        }
    }

    private static void ranges(Field ranges) {
        ranges.forEach(Field::cidr);
        List<String> texts = ranges.texts();
        boolean valid = texts.stream().allMatch(range -> IpLiterals.range(range).isPresent());
        if (valid && texts.size() > 1 && !IpLiterals.areOfBothFamilies(texts)) {
            ranges.invalidValue("may specify no more than one CIDR for each IP family");
        }
    }

    /** Checks what a node has, as itself says. */
    static void checkStatus(Field node) {
        for (String kind : List.of("capacity", "allocatable")) {
            Field amounts = node.at("status").at(kind);
            for (Map.Entry<String, JsonNode> amount : amounts.value().properties()) {
                if (QualityOfService.amount(amount.getValue()).signum() < 0) {
                    amounts.at(amount.getKey()).invalid("must be greater than or equal to 0");
                }
            }
        }
    }

    /** Checks what is set once. */
    static void checkUpdate(Field spec, JsonNode before) {
        JsonNode old = before.path("podCIDRs");
        if (!old.isEmpty() && !spec.value().path("podCIDRs").equals(old)) {
            spec.at("podCIDRs").forbidden("node updates may not change podCIDR" + ONCE);
        }
        String provider = Json.text(before, "providerID");
        if (!provider.isEmpty() && !spec.at("providerID").is(provider)) {
            spec.at("providerID").forbidden("node updates may not change providerID" + ONCE);
        }
    }
}
