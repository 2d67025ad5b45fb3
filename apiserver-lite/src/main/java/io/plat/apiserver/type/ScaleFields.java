package io.plat.apiserver.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import java.util.List;

/**
 * Paths of the replica counts of an object, beginning with a dot.
 *
 * @param labelSelectorPath selector of the pods; {@code ""} if there is none
 */
public record ScaleFields(String specReplicasPath, String statusReplicasPath, String labelSelectorPath) {
    public static final ScaleFields BUILT_IN = new ScaleFields(".spec.replicas", ".status.replicas", ".spec.selector");

    /** Returns the desired replicas; a missing node if absent. */
    public JsonNode specReplicas(JsonNode object) {
        return at(object, specReplicasPath);
    }

    public JsonNode present(JsonNode object) {
        return at(object, statusReplicasPath);
    }

    public JsonNode selector(JsonNode object) {
        return labelSelectorPath.isEmpty() ? MissingNode.getInstance() : at(object, labelSelectorPath);
    }

    public void setReplicas(ObjectNode object, int replicas) {
        List<String> names = desiredPath();
        ObjectNode holder = object;
        for (String name : names.subList(0, names.size() - 1)) {
            holder = Json.child(holder, name);
        }
        holder.put(names.getLast(), replicas);
    }

    public List<String> desiredPath() {
        return names(specReplicasPath);
    }

    private static JsonNode at(JsonNode object, String path) {
        JsonNode value = object;
        for (String name : names(path)) {
            value = value.path(name);
        }
        return value.isNull() ? MissingNode.getInstance() : value;
    }

    private static List<String> names(String path) {
        return List.of((path.startsWith(".") ? path.substring(1) : path).split("\\.", -1));
    }
}
