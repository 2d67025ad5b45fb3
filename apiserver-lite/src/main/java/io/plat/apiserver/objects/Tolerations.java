package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import java.util.List;

/** Default tolerations of pods and the not-ready taint of new nodes: a pod stays five minutes on a node that becomes unready. */
final class Tolerations {
    private static final String NOT_READY = "node.kubernetes.io/not-ready";
    private static final List<String> TOLERATED = List.of(NOT_READY, "node.kubernetes.io/unreachable");
    private static final int SECONDS = 300;
    private static final String EVICTS = "NoExecute";
    private static final String KEEPS_OFF = "NoSchedule";

    private Tolerations() {}

    /** Adds the default tolerations that a pod does not specify. */
    static void complete(ObjectNode spec) {
        for (String key : TOLERATED) {
            if (!tolerates(spec, key)) {
                ArrayNode list = spec.withArray("tolerations");
                list.addObject()
                        .put("key", key)
                        .put("operator", "Exists")
                        .put("effect", EVICTS)
                        .put("tolerationSeconds", SECONDS);
            }
        }
    }

    private static boolean tolerates(ObjectNode spec, String key) {
        for (JsonNode one : spec.path("tolerations")) {
            String of = Json.text(one, "key");
            String effect = Json.text(one, "effect");
            if ((of.isEmpty() || of.equals(key)) && (effect.isEmpty() || effect.equals(EVICTS))) {
                return true;
            }
        }
        return false;
    }

    /** Adds the not-ready taint to a node. */
    static void taint(ObjectNode node) {
        ObjectNode spec = Json.child(node, "spec");
        for (JsonNode one : spec.path("taints")) {
            if (Json.text(one, "key").equals(NOT_READY)
                    && Json.text(one, "effect").equals(KEEPS_OFF)) {
                return;
            }
        }
        spec.withArray("taints").addObject().put("effect", KEEPS_OFF).put("key", NOT_READY);
    }
}
