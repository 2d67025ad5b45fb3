package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Constraints of a schema on values in addition to their type: bounds, enumerations, junctors. Immutable.
 *
 * @param json the schema
 * @param required required fields, whether or not the schema has a type
 * @param none whether there are no constraints
 */
public record Constraints(
        JsonNode json,
        List<String> required,
        List<JsonNode> allowed,
        List<TypeSchema> allOf,
        List<TypeSchema> anyOf,
        List<TypeSchema> oneOf,
        @Nullable TypeSchema not,
        boolean none) {
    private static final List<String> MEMBERS = List.of(
            ("minimum maximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties format"
                            + " pattern required enum allOf anyOf oneOf not")
                    .split(" ", -1));

    static Constraints of(JsonNode json) {
        return new Constraints(
                json,
                TypeSchema.texts(json.path("required")),
                json.path("enum").valueStream().toList(),
                schemas(json.path("allOf")),
                schemas(json.path("anyOf")),
                schemas(json.path("oneOf")),
                json.path("not").isObject() ? TypeSchema.of(json.path("not")) : null,
                MEMBERS.stream().noneMatch(json::has));
    }

    private static List<TypeSchema> schemas(JsonNode list) {
        return list.valueStream().map(TypeSchema::of).toList();
    }

    /** Returns a bound; a missing node if absent. */
    public JsonNode bound(String name) {
        return json.path(name);
    }
}
