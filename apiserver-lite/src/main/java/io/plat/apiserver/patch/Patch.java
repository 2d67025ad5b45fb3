package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;

/** A change that can be applied to a document, again and again. Immutable, for any number of threads. */
public sealed interface Patch permits JsonPatch, MergePatch, StrategicMergePatch {
    /**
     * Reads a patch.
     *
     * @param document the body of the request; it becomes the patch's own
     * @param repeated a line for each field that stood in it more than once
     * @param schema the form of the documents that it is applied to
     * @throws StatusException 400 if it is no patch of this format, 413 if it has too many operations
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
     * The document with the change made.
     *
     * @param document changed in place, and part of the result
     * @throws StatusException 400 or 422 if the change can't be made to it
     */
    JsonNode apply(ObjectNode document) throws StatusException;

    /** Warnings about the patch itself, such as about members that mean nothing in its format. */
    List<String> warnings();

    /** The refusal of a patch that should be an object. */
    static StatusException noObject(JsonNode document) {
        return new StatusException(
                StatusReason.BAD_REQUEST,
                "error decoding patch: json: cannot unmarshal " + JsonKind.of(document)
                        + " into Go value of type map[string]interface {}");
    }
}
