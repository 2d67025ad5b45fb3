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

    private static final String AT = "spec." + FIELD;

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
    public NameRule names() {
        return NameRule.SUBDOMAIN;
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
        var names = new HashSet<String>();
        for (String list : PodRules.CONTAINERS) {
            spec.path(list).forEach(container -> names.add(Json.text(container, "name")));
        }
        Set<String> others = Set.copyOf(names);
        for (int i = 0; i < spec.path(FIELD).size(); i++) {
            checkOne(AT + "[" + i + "]", spec.path(FIELD).path(i), names, others, causes);
        }
        if (before != null) {
            checkKept(before.path("spec").path(FIELD), spec.path(FIELD), causes);
        }
        PodRules.checkSchema(pod, causes);
    }

    private static void checkOne(
            String field, JsonNode container, Set<String> names, Set<String> others, Causes causes) {
        PodRules.checkContainer(field, container, names, causes);
        for (Map.Entry<String, JsonNode> said : container.properties()) {
            boolean nothing =
                    said.getKey().equals("resources") && said.getValue().isEmpty();
            if (!ALLOWED.contains(said.getKey()) && !nothing) {
                causes.forbidden(field + "." + said.getKey(), "cannot be set for an Ephemeral Container");
            }
        }
        String target = Json.text(container, "targetContainerName");
        if (!target.isEmpty() && !others.contains(target)) {
            causes.add("FieldValueNotFound", "Not found: \"" + target + "\"", field + ".targetContainerName");
        }
    }

    private static void checkKept(JsonNode before, JsonNode after, Causes causes) {
        var now = new HashMap<String, JsonNode>();
        after.forEach(container -> now.put(Json.text(container, "name"), container));
        for (JsonNode old : before) {
            String name = Json.text(old, "name");
            JsonNode kept = now.get(name);
            if (kept == null) {
                causes.forbidden(AT, "existing ephemeral containers \"" + name + "\" may not be removed");
            } else if (!kept.equals(old)) {
                causes.forbidden(AT, "existing ephemeral containers \"" + name + "\" may not be changed");
            }
        }
    }
}
