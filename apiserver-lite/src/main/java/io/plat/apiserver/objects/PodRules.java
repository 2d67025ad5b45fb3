package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.SchemaCheck;
import io.plat.apiserver.type.Schemas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules of pods: defaults that clients display, and immutable fields. Pods are not run here and stay Pending. */
final class PodRules implements TypeRules {
    static final List<String> CONTAINERS = List.of("containers", "initContainers");

    @Override
    public void prepare(ObjectNode pod, @Nullable ObjectNode before) {
        Rules.fill("pods", pod, before);
        ObjectNode spec = Json.child(pod, "spec");
        if (before == null) {
            pod.putObject("status").put("phase", "Pending").put("qosClass", QosClass.of(spec));
        } else {
            pod.set("status", before.path("status").deepCopy());
            Tolerations.complete(spec);
        }
    }

    @Override
    public void check(ObjectNode pod, @Nullable ObjectNode before, Causes causes) {
        Rules.check("pods", Field.of(pod, before, causes));
    }

    /** Resets a pod before a subresource is written; field ownership is determined later. */
    static void putBack(ObjectNode pod, ObjectNode before) {
        pod.removeAll();
        pod.setAll(before.deepCopy());
    }

    /** Validates a pod by its schema after a subresource was written. */
    static void checkSchema(ObjectNode pod, Causes causes) {
        Schemas.builtIn().find("", "v1", "Pod").ifPresent(schema -> SchemaCheck.check("Pod", schema, pod, causes));
    }
}
