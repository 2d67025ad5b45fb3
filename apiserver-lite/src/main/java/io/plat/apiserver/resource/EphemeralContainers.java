package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Containers that join a pod while it runs, as for looking into it: they come by a path of their own, and none goes or changes. */
final class EphemeralContainers implements TypeRules {
    static final String FIELD = "ephemeralContainers";

    /** What such a container may say: nothing that others would rely on. */
    private static final Set<String> ALLOWED = Set.of(
            "name",
            "image",
            "command",
            "args",
            "workingDir",
            "envFrom",
            "env",
            "volumeMounts",
            "volumeDevices",
            "terminationMessagePath",
            "terminationMessagePolicy",
            "imagePullPolicy",
            "securityContext",
            "stdin",
            "stdinOnce",
            "tty",
            "targetContainerName");

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
            PodRules.prepareContainers(spec, FIELD);
        }
    }

    @Override
    public void check(ObjectNode pod, @Nullable ObjectNode before, Causes causes) {
        JsonNode spec = pod.path("spec");
        Field containers = Field.of(pod, causes).at("spec").at(FIELD);
        var names = new HashSet<String>();
        for (String list : PodRules.CONTAINERS) {
            spec.path(list).forEach(container -> names.add(Json.text(container, "name")));
        }
        Set<String> others = Set.copyOf(names);
        containers.forEach(container -> checkOne(container, names, others));
        if (before != null) {
            checkKept(before.path("spec").path(FIELD), containers);
        }
        PodRules.checkSchema(pod, causes);
    }

    private static void checkOne(Field container, Set<String> names, Set<String> others) {
        PodRules.checkContainer(container, names);
        for (Map.Entry<String, JsonNode> said : container.value().properties()) {
            boolean nothing =
                    said.getKey().equals("resources") && said.getValue().isEmpty();
            if (!ALLOWED.contains(said.getKey()) && !nothing) {
                container.at(said.getKey()).forbidden("cannot be set for an Ephemeral Container");
            }
        }
        Field target = container.at("targetContainerName");
        if (!target.isEmpty() && !others.contains(target.text())) {
            target.notFound();
        }
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
