package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.tree.Json;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is left in a namespace that goes, and the conditions that tell its users what it waits for. */
final class RemainingResources {
    private final Map<String, Integer> resources = new TreeMap<>();
    private final Map<String, Integer> finalizers = new TreeMap<>();

    /** One more object is left, held by these finalizers. */
    void add(Entry entry, JsonNode held) {
        resources.merge(entry.key().resource(), 1, Integer::sum);
        Json.texts(held).forEach(finalizer -> finalizers.merge(finalizer, 1, Integer::sum));
    }

    /**
     * Writes the conditions into a namespace.
     *
     * @param now the time of a condition that changes
     * @return whether any is new or other than before
     */
    boolean report(ObjectNode namespace, String now) {
        ObjectNode status = Json.child(namespace, "status");
        ArrayNode before = status.path("conditions") instanceof ArrayNode present
                ? present.deepCopy()
                : Json.MAPPER.createArrayNode();
        ArrayNode after = Json.MAPPER.createArrayNode();
        add(after, "NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered");
        add(
                after,
                "NamespaceDeletionGroupVersionParsingFailure",
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed");
        add(
                after,
                "NamespaceDeletionContentFailure",
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization");
        contentRemaining(after);
        finalizersRemaining(after);
        for (JsonNode condition : after) {
            ((ObjectNode) condition).put("lastTransitionTime", since(before, condition, now));
        }
        status.set("conditions", after);
        return !after.equals(before);
    }

    private void contentRemaining(ArrayNode conditions) {
        if (resources.isEmpty()) {
            add(conditions, "NamespaceContentRemaining", "ContentRemoved", "All content successfully removed");
            return;
        }
        String list = resources.entrySet().stream()
                .map(resource -> qualified(resource.getKey()) + " has " + resource.getValue() + " resource instances")
                .collect(Collectors.joining(", "));
        add(conditions, "NamespaceContentRemaining", "SomeResourcesRemain", "Some resources are remaining: " + list)
                .put("status", "True");
    }

    /** A resource with its group behind a dot, which the field writes for the core group too. */
    private static String qualified(String resource) {
        return resource.indexOf('.') < 0 ? resource + "." : resource;
    }

    private void finalizersRemaining(ArrayNode conditions) {
        if (finalizers.isEmpty()) {
            add(
                    conditions,
                    "NamespaceFinalizersRemaining",
                    "ContentHasNoFinalizers",
                    "All content-preserving finalizers finished");
            return;
        }
        String list = finalizers.entrySet().stream()
                .map(finalizer -> finalizer.getKey() + " in " + finalizer.getValue() + " resource instances")
                .collect(Collectors.joining(", "));
        add(
                        conditions,
                        "NamespaceFinalizersRemaining",
                        "SomeFinalizersRemain",
                        "Some content in the namespace has finalizers remaining: " + list)
                .put("status", "True");
    }

    private static ObjectNode add(ArrayNode conditions, String type, String reason, String message) {
        return conditions
                .addObject()
                .put("type", type)
                .put("status", "False")
                .put("reason", reason)
                .put("message", message);
    }

    /** A condition's time is that of its last change of status. */
    private static String since(ArrayNode before, JsonNode condition, String now) {
        for (JsonNode earlier : before) {
            if (earlier.path("type").equals(condition.path("type"))
                    && earlier.path("status").equals(condition.path("status"))) {
                return Json.text(earlier, "lastTransitionTime");
            }
        }
        return now;
    }
}
