package io.plat.apiserver.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import java.util.List;
import java.util.Objects;

/**
 * Where an object says how many replicas it wants and has, as paths that begin with a dot.
 *
 * @param specReplicasPath how many are wanted
 * @param statusReplicasPath how many there are
 * @param labelSelectorPath which they are; {@code ""} where that is not told
 */
public record ScaleFields(String specReplicasPath, String statusReplicasPath, String labelSelectorPath) {
    /** Those of the built-in types. */
    public static final ScaleFields BUILT_IN = new ScaleFields(".spec.replicas", ".status.replicas", ".spec.selector");

    public ScaleFields {
        Objects.requireNonNull(specReplicasPath);
        Objects.requireNonNull(statusReplicasPath);
        Objects.requireNonNull(labelSelectorPath);
    }

    /** How many an object wants; a missing node where it does not say. */
    public JsonNode wanted(JsonNode object) {
        return at(object, specReplicasPath);
    }

    /** How many an object has. */
    public JsonNode present(JsonNode object) {
        return at(object, statusReplicasPath);
    }

    /** Which they are. */
    public JsonNode selector(JsonNode object) {
        return labelSelectorPath.isEmpty() ? MissingNode.getInstance() : at(object, labelSelectorPath);
    }

    /** Has an object want so many. */
    public void want(ObjectNode object, int replicas) {
        List<String> names = wantedAt();
        ObjectNode holder = object;
        for (String name : names.subList(0, names.size() - 1)) {
            holder = Json.child(holder, name);
        }
        holder.put(names.getLast(), replicas);
    }

    /** The names of the fields that lead to the number that is wanted. */
    public List<String> wantedAt() {
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
