package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Map;

/**
 * A JSON merge patch (RFC 7386): members replace members, null removes one, everything but an object replaces as a whole.
 *
 * @param changes the patch, which is not changed by its application
 */
record MergePatch(ObjectNode changes, List<String> warnings) implements Patch {
    MergePatch {
        warnings = List.copyOf(warnings);
    }

    static MergePatch of(JsonNode document, List<String> repeated) throws StatusException {
        if (document instanceof ObjectNode changes) {
            return new MergePatch(changes, repeated);
        }
        throw Patch.noObject(document);
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
                // A copy: what comes of one application must not change the patch, which may be applied again.
                target.set(name, value.deepCopy());
            }
        }
    }
}
