package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Map;

/**
 * JSON merge patch (RFC 7386): members replace members, null removes one, all other values replace as a whole.
 *
 * @param changes the patch, not modified when applied
 */
record MergePatch(ObjectNode changes, List<String> warnings) implements Patch {
    MergePatch {
        warnings = List.copyOf(warnings);
    }

    static MergePatch of(JsonNode document, List<String> repeated) throws StatusException {
        if (document instanceof ObjectNode changes) {
            return new MergePatch(changes, repeated);
        }
        throw document.isNull()
                ? new StatusException(StatusReason.BAD_REQUEST, "Invalid JSON Patch")
                : Patch.notAnObject(document);
    }

    @Override
    public JsonNode apply(ObjectNode document) {
        merge(document, changes);
        return document;
    }

    private static void merge(ObjectNode target, ObjectNode changes) {
        for (Map.Entry<String, JsonNode> change : changes.properties()) {
            String name = change.getKey();
            JsonNode value = change.getValue();
            if (value.isNull()) {
                target.remove(name);
            } else if (value instanceof ObjectNode inner) {
                merge(target.path(name) instanceof ObjectNode present ? present : target.putObject(name), inner);
            } else {
                // Copied, since the result must not share nodes with the patch, which may be applied again.
                target.set(name, value.deepCopy());
            }
        }
    }
}
