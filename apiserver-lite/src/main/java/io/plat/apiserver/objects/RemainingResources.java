package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.tree.Json;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Objects that remain in a namespace that is being deleted, and the conditions that show its users what it waits for. */
final class RemainingResources {
    /** Maximum number of finalizers and of failures that a condition names: its length must not depend on what users store. */
    private static final int MAX_NAMED = 20;

    /** Conditions of a namespace without remaining objects. */
    private static final String CONDITIONS = """
        {"conditions": [
          {"type": "NamespaceDeletionDiscoveryFailure", "status": "False", "reason": "ResourcesDiscovered",
           "message": "All resources successfully discovered"},
          {"type": "NamespaceDeletionGroupVersionParsingFailure", "status": "False",
           "reason": "ParsedGroupVersions", "message": "All legacy kube types successfully parsed"},
          {"type": "NamespaceDeletionContentFailure", "status": "False", "reason": "ContentDeleted",
           "message": "All content successfully deleted, may be waiting on finalization"},
          {"type": "NamespaceContentRemaining", "status": "False", "reason": "ContentRemoved",
           "message": "All content successfully removed"},
          {"type": "NamespaceFinalizersRemaining", "status": "False", "reason": "ContentHasNoFinalizers",
           "message": "All content-preserving finalizers finished"}]}\
        """;

    private final Map<String, Integer> resources = new TreeMap<>();
    private final Map<String, Integer> finalizers = new TreeMap<>();
    private final Set<String> failures = new TreeSet<>();
    private int failed;
    private boolean truncated;

    void add(Entry entry, JsonNode held) {
        resources.merge(entry.key().resource(), 1, Integer::sum);
        for (JsonNode finalizer : held) {
            if (finalizers.size() < MAX_NAMED || finalizers.containsKey(finalizer.asText())) {
                finalizers.merge(finalizer.asText(), 1, Integer::sum);
            } else {
                truncated = true;
            }
        }
    }

    void addFailure(String message) {
        failed++;
        if (failures.size() < MAX_NAMED) {
            failures.add(message);
        }
    }

    boolean hasFailures() {
        return failed > 0;
    }

    /** Writes the conditions into a namespace. */
    boolean report(ObjectNode namespace, String now) {
        ObjectNode status = Json.child(namespace, "status");
        JsonNode before = status.path("conditions");
        JsonNode after = Json.parse(CONDITIONS).path("conditions");
        if (failed > 0) {
            String list = String.join(", ", failures) + (failed > failures.size() ? ", ..." : "");
            String failure = "Failed to delete all resource types, " + failed + " remaining: " + list;
            set(after.path(2), "ContentDeletionFailed", failure);
        }
        if (!resources.isEmpty()) {
            // Kubernetes appends the dot before the group for the core group too.
            String list = listed(resources, name -> name.indexOf('.') < 0 ? name + "." : name, " has ");
            set(after.path(3), "SomeResourcesRemain", "Some resources are remaining: " + list);
        }
        if (!finalizers.isEmpty()) {
            String list = listed(finalizers, UnaryOperator.identity(), " in ") + (truncated ? ", ..." : "");
            String remaining = "Some content in the namespace has finalizers remaining: " + list;
            set(after.path(4), "SomeFinalizersRemain", remaining);
        }
        for (JsonNode condition : after) {
            ((ObjectNode) condition).put("lastTransitionTime", since(before, condition, now));
        }
        status.set("conditions", after);
        return !after.equals(before);
    }

    private static void set(JsonNode condition, String reason, String message) {
        ((ObjectNode) condition).put("status", "True").put("reason", reason).put("message", message);
    }

    private static String listed(Map<String, Integer> counts, UnaryOperator<String> name, String verb) {
        return counts.entrySet().stream()
                .map(count -> name.apply(count.getKey()) + verb + count.getValue() + " resource instances")
                .collect(Collectors.joining(", "));
    }

    /** Returns the time of the last change of a condition's status. */
    private static String since(JsonNode before, JsonNode condition, String now) {
        for (JsonNode earlier : before) {
            if (earlier.path("type").equals(condition.path("type"))
                    && earlier.path("status").equals(condition.path("status"))) {
                return Json.text(earlier, "lastTransitionTime");
            }
        }
        return now;
    }
}
