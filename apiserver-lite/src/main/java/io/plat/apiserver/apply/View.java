package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.function.UnaryOperator;

/**
 * View of stored objects in a version of a type.
 *
 * @param seen returns the visible part of a stored object, without modifying the object
 */
public record View(TypeSchema schema, UnaryOperator<JsonNode> seen) {
    /** Returns the view of a version that shows everything stored. */
    public static View whole(TypeSchema schema) {
        return new View(schema, UnaryOperator.identity());
    }

    Comparison compare(JsonNode before, JsonNode after) {
        return Comparison.of(schema, seen.apply(before), seen.apply(after));
    }
}
