package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.Generations;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.schema.Defaulting;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.SchemaCheck;
import io.plat.apiserver.type.Schemas;
import io.plat.cel.text.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules of pods: defaults that clients display, and immutable fields. Pods are not run here and stay Pending. */
final class PodRules implements TypeRules {
    private static final List<String> COUNTED = List.of("cpu", "memory");
    static final List<String> CONTAINERS = List.of("containers", "initContainers");

    @Override
    public void prepare(ObjectNode pod, @Nullable ObjectNode before) {
        Rules.fill("pods", pod, before);
        ObjectNode spec = Json.child(pod, "spec");
        if (before == null) {
            pod.putObject("status").put("phase", "Pending").put("qosClass", qosClass(spec));
            Rules.fill("pods/created", pod, before);
        } else {
            pod.set("status", before.path("status").deepCopy());
            Tolerations.complete(spec);
        }
    }

    @Override
    public String definition() {
        return "pods";
    }

    /** Resets a pod before a subresource is written; field ownership is determined later. */
    static void restore(ObjectNode pod, ObjectNode before) {
        pod.removeAll();
        pod.setAll(before.deepCopy());
    }

    static void checkSchema(ObjectNode pod, Causes causes) {
        Schemas.builtIn().find("", "v1", "Pod").ifPresent(schema -> SchemaCheck.check("Pod", schema, pod, causes));
    }

    /** Returns the QoS class of a pod by its resource requests and limits. */
    static String qosClass(JsonNode spec) {
        boolean nothing = true;
        boolean guaranteed = true;
        for (String list : CONTAINERS) {
            for (JsonNode container : spec.path(list)) {
                JsonNode resources = container.path("resources");
                for (String resource : COUNTED) {
                    BigDecimal limit =
                            Quantity.of(resources.path("limits").path(resource).asText(""));
                    JsonNode requested = resources.path("requests").path(resource);
                    BigDecimal request = requested.isMissingNode() ? limit : Quantity.of(requested.asText(""));
                    nothing &= limit.signum() == 0 && request.signum() == 0;
                    guaranteed &= limit.signum() > 0 && request.compareTo(limit) == 0;
                }
            }
        }
        return nothing ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
    }

    private abstract static class Part implements TypeRules.OfPart {
        @Override
        public final void complete(ObjectNode pod, ObjectNode before) {
            Schemas.builtIn().find("", "v1", "Pod").ifPresent(schema -> Defaulting.apply(schema, pod));
            Rules.fill("pods", pod, before);
        }
    }

    /** The {@code resize} subresource: changes the resources of a pod's containers, and nothing else. */
    static final class Resize extends Part {
        private static final List<String> BOUNDS = List.of("requests", "limits");

        @Override
        public void prepare(ObjectNode pod, @Nullable ObjectNode before) {
            if (before == null) {
                return;
            }
            ObjectNode sent = pod.deepCopy();
            PodRules.restore(pod, before);
            for (String list : CONTAINERS) {
                JsonNode desired = sent.path("spec").path(list);
                JsonNode present = before.path("spec").path(list);
                if (!Json.texts(desired, "name").equals(Json.texts(present, "name"))) {
                    // The check reports it.
                    DeclarativeRules.keep(list, Json.child(pod, "spec"), Json.child(sent, "spec"));
                    Rules.fill("pods", pod, before);
                    continue;
                }
                for (int i = 0; i < desired.size(); i++) {
                    ObjectNode container =
                            (ObjectNode) pod.path("spec").path(list).path(i);
                    DeclarativeRules.keep("resources", container, (ObjectNode) desired.path(i));
                    DeclarativeRules.keep("resizePolicy", container, (ObjectNode) desired.path(i));
                }
            }
            Generations.change("pods", before, pod);
        }

        @Override
        public void check(ObjectNode pod, @Nullable ObjectNode before, Causes causes) {
            if (before == null) {
                return;
            }
            Rules.check("pods/resize", Field.of(pod, before, causes));
            if (!PodRules.qosClass(pod.path("spec")).equals(PodRules.qosClass(before.path("spec")))) {
                String quality = Json.text(before.path("status"), "qosClass");
                causes.field("spec", quality).invalid("Pod QOS Class may not change as a result of resizing");
            }
            for (String list : CONTAINERS) {
                checkContainers(list, pod, before, causes);
            }
            PodRules.checkSchema(pod, causes);
        }

        private static void checkContainers(String list, ObjectNode pod, ObjectNode before, Causes causes) {
            List<String> old = Json.texts(before.path("spec").path(list), "name");
            List<String> now = Json.texts(pod.path("spec").path(list), "name");
            if (now.size() != old.size()) {
                causes.field("spec." + list, "").forbidden(list + " may not be added or removed on resize");
                return;
            }
            for (int i = 0; i < old.size(); i++) {
                String at = "spec." + list + "[" + i + "]";
                if (!now.get(i).equals(old.get(i))) {
                    causes.field(at + ".name", "").forbidden(list + " may not be renamed or reordered on resize");
                } else {
                    checkContainer(
                            at,
                            before.path("spec").path(list).path(i),
                            pod.path("spec").path(list).path(i),
                            causes);
                }
            }
        }

        private static void checkContainer(String at, JsonNode old, JsonNode now, Causes causes) {
            for (String bound : BOUNDS) {
                JsonNode kept = now.path("resources").path(bound);
                if (!old.path("resources").path(bound).propertyStream().allMatch(one -> kept.has(one.getKey()))) {
                    causes.field(at + ".resources." + bound, "").forbidden("resource " + bound + " cannot be removed");
                }
            }
            if (!fixed(now).equals(fixed(old))) {
                boolean init = at.startsWith("spec.init");
                causes.field(init ? at : "spec", "")
                        .forbidden("only cpu and memory resources " + (init ? "for init or sidecar containers " : "")
                                + "are mutable");
            }
        }

        private static JsonNode fixed(JsonNode container) {
            ObjectNode fixed = container.deepCopy();
            BOUNDS.forEach(
                    bound -> Json.child(Json.child(fixed, "resources"), bound).remove(COUNTED));
            return fixed;
        }
    }

    /** Ephemeral containers of a pod, added through a subresource; existing ones cannot be changed or removed. */
    static final class Ephemeral extends Part {
        static final String FIELD = "ephemeralContainers";

        @Override
        public void prepare(ObjectNode pod, @Nullable ObjectNode before) {
            if (before == null) {
                return;
            }
            JsonNode sent = pod.path("spec").path(FIELD).deepCopy();
            PodRules.restore(pod, before);
            ObjectNode spec = Json.child(pod, "spec");
            spec.remove(FIELD);
            if (!sent.isEmpty()) {
                spec.set(FIELD, sent);
            }
            Generations.change("pods", before, pod);
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
}
