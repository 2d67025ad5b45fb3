package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.tree.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The {@code resize} subresource: changes the resources of a pod's containers, and nothing else. */
final class PodResizeRules implements TypeRules {
    private static final Set<String> MUTABLE = Set.of("cpu", "memory");
    private static final List<String> RESIZABLE = List.of("resources", "resizePolicy");

    @Override
    public boolean ofPart() {
        return true;
    }

    @Override
    public void prepare(ObjectNode pod, @Nullable ObjectNode before) {
        if (before == null) {
            return;
        }
        ObjectNode sent = pod.deepCopy();
        PodRules.putBack(pod, before);
        for (String list : PodRules.CONTAINERS) {
            Map<String, JsonNode> wanted = byName(sent.path("spec").path(list));
            for (JsonNode container : pod.path("spec").path(list)) {
                JsonNode now = wanted.get(Json.text(container, "name"));
                if (now != null) {
                    RESIZABLE.forEach(field -> take(field, now, (ObjectNode) container));
                }
            }
        }
    }

    private static void take(String field, JsonNode from, ObjectNode into) {
        if (from.hasNonNull(field)) {
            into.set(field, from.path(field).deepCopy());
        } else {
            into.remove(field);
        }
    }

    private static Map<String, JsonNode> byName(JsonNode containers) {
        var byName = new HashMap<String, JsonNode>();
        containers.forEach(container -> byName.put(Json.text(container, "name"), container));
        return byName;
    }

    @Override
    public void check(ObjectNode pod, @Nullable ObjectNode before, Causes causes) {
        if (before == null) {
            return;
        }
        for (String list : PodRules.CONTAINERS) {
            for (int i = 0; i < pod.path("spec").path(list).size(); i++) {
                checkResources(
                        "spec." + list + "[" + i + "].resources",
                        before.path("spec").path(list).path(i).path("resources"),
                        pod.path("spec").path(list).path(i).path("resources"),
                        causes);
            }
        }
        String quality = QosClass.of(pod.path("spec"));
        if (!quality.equals(QosClass.of(before.path("spec")))) {
            causes.invalid("spec", quality, "Pod QOS Class may not change as a result of resizing");
        }
        PodRules.checkSchema(pod, causes);
    }

    private static void checkResources(String field, JsonNode before, JsonNode after, Causes causes) {
        for (String bound : List.of("limits", "requests")) {
            var names = new TreeSet<String>();
            before.path(bound).fieldNames().forEachRemaining(names::add);
            after.path(bound).fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                JsonNode now = after.path(bound).path(name);
                boolean same = now.equals(before.path(bound).path(name));
                if (!same && !MUTABLE.contains(name)) {
                    causes.forbidden(field + "." + bound, "only cpu and memory resources are mutable");
                } else if (now.isMissingNode()) {
                    causes.forbidden(field + "." + bound, "resource " + bound + " cannot be removed");
                }
            }
        }
        if (!after.path("claims").equals(before.path("claims"))) {
            causes.forbidden(field + ".claims", "only cpu and memory resources are mutable");
        }
    }
}
