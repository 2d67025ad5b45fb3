package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.function.UnaryOperator;

/**
 * The view of stored objects that a version of a type has.
 *
 * @param schema the form of its objects
 * @param seen returns the part of a stored object that it has, without changing the object
 */
public record View(TypeSchema schema, UnaryOperator<JsonNode> seen) {
    /** That of a version that has whatever is stored. */
    public static View whole(TypeSchema schema) {
        return new View(schema, UnaryOperator.identity());
    }

    Comparison compare(JsonNode before, JsonNode after) {
        return Comparison.of(schema, seen.apply(before), seen.apply(after));
    }
}
