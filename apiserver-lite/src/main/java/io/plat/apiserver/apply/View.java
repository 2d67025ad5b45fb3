package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.function.UnaryOperator;

/**
 * What a version of a type sees of stored objects.
 *
 * @param schema what an object of it looks like
 * @param seen what of a stored object it has, which stays as it is
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
