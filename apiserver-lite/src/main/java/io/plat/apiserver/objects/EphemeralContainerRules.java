package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.tree.Json;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;

/** Ephemeral containers of a pod, added through a subresource; existing ones cannot be changed or removed. */
final class EphemeralContainerRules implements TypeRules {
    static final String FIELD = "ephemeralContainers";

    @Override
    public boolean ofPart() {
        return true;
    }

    @Override
    public void prepare(ObjectNode pod, @Nullable ObjectNode before) {
        if (before == null) {
            return;
        }
        JsonNode sent = pod.path("spec").path(FIELD).deepCopy();
        PodRules.putBack(pod, before);
        ObjectNode spec = Json.child(pod, "spec");
        spec.remove(FIELD);
        if (!sent.isEmpty()) {
            spec.set(FIELD, sent);
            Rules.fill("pods/ephemeralcontainers", pod, before);
        }
    }

    @Override
    public void check(ObjectNode pod, @Nullable ObjectNode before, Causes causes) {
        Rules.check("pods/ephemeralcontainers", Field.of(pod, causes));
        if (before != null) {
            checkKept(
                    before.path("spec").path(FIELD),
                    Field.of(pod, causes).at("spec").at(FIELD));
        }
        PodRules.checkSchema(pod, causes);
    }

    private static void checkKept(JsonNode before, Field after) {
        var now = new HashMap<String, JsonNode>();
        after.value().forEach(container -> now.put(Json.text(container, "name"), container));
        for (JsonNode old : before) {
            String name = Json.text(old, "name");
            JsonNode kept = now.get(name);
            if (!old.equals(kept)) {
                after.forbidden("existing ephemeral containers \"" + name + "\" may not be "
                        + (kept == null ? "removed" : "changed"));
            }
        }
    }
}
