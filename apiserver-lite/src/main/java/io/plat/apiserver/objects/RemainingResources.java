package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.tree.Json;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Objects that remain in a namespace that is being deleted, and the conditions that show its users what it waits for. */
final class RemainingResources {
    /** Maximum number of finalizers and of failures that a condition names: its length must not depend on what users store. */
    private static final int MAX_NAMED = 20;

    private static final String CONTENT_FAILURE = "NamespaceDeletionContentFailure";

    private final Map<String, Integer> resources = new TreeMap<>();
    private final Map<String, Integer> finalizers = new TreeMap<>();
    private final Set<String> failures = new TreeSet<>();
    private int failed;
    private boolean further;

    /** Adds a remaining object with its finalizers. */
    void add(Entry entry, JsonNode held) {
        resources.merge(entry.key().resource(), 1, Integer::sum);
        for (JsonNode finalizer : held) {
            if (finalizers.size() < MAX_NAMED || finalizers.containsKey(finalizer.asText())) {
                finalizers.merge(finalizer.asText(), 1, Integer::sum);
            } else {
                further = true;
            }
        }
    }

    /** Adds an object whose deletion was refused. */
    void addFailure(String message) {
        failed++;
        if (failures.size() < MAX_NAMED) {
            failures.add(message);
        }
    }

    /** Returns whether the deletion of an object was refused. */
    boolean hasFailures() {
        return failed > 0;
    }

    /**
     * Writes the conditions into a namespace.
     *
     * @param now time of a changed condition
     * @return whether any condition changed
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
        if (failed > 0) {
            String list = "Failed to delete all resource types, " + failed + " remaining: "
                    + String.join(", ", failures) + (failed > failures.size() ? ", ..." : "");
            add(after, CONTENT_FAILURE, "ContentDeletionFailed", list).put("status", "True");
        } else {
            String all = "All content successfully deleted, may be waiting on finalization";
            add(after, CONTENT_FAILURE, "ContentDeleted", all);
        }
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

    /** Returns a resource with its group after a dot, which Kubernetes appends for the core group too. */
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
                .collect(Collectors.joining(", ", "", further ? ", ..." : ""));
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

    /** Returns the time of the last change of a condition's status. */
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
