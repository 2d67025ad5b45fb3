package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.tree.Json;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;

/** Patch of documents, which can be applied repeatedly. Immutable and thread-safe. */
public sealed interface Patch permits JsonPatch, MergePatch, StrategicMergePatch {
    /**
     * Parses a patch.
     *
     * @param document body of the request; taken over by the patch
     * @param repeated one-line warnings about duplicate fields
     * @throws StatusException 400 if it is not a patch of this format, 413 if it has too many operations
     */
    static Patch of(PatchFormat format, JsonNode document, List<String> repeated, TypeSchema schema)
            throws StatusException {
        return switch (format) {
            case JSON -> JsonPatch.of(document, repeated);
            case MERGE -> MergePatch.of(document, repeated);
            case STRATEGIC_MERGE -> StrategicMergePatch.of(document, repeated, schema);
        };
    }

    /**
     * Applies the patch and returns the result.
     *
     * @param document document; modified, and part of the result
     * @throws StatusException 400 or 422 if the patch does not apply
     */
    JsonNode apply(ObjectNode document) throws StatusException;

    /** Returns whether the result is of the type of the document regardless of its apiVersion and kind; others are decoded by them. */
    default boolean keepsType() {
        return false;
    }

    /** Returns warnings about the patch itself, such as about meaningless members. */
    List<String> warnings();

    static StatusException notAnObject(JsonNode document) {
        return new StatusException(
                StatusReason.BAD_REQUEST,
                "error decoding patch: " + Json.cannotUnmarshal(document, "Go value of type map[string]interface {}"));
    }
}
