package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The constraints of a schema on values beside their type: bounds, one of several values, alternative schemas. Immutable.
 *
 * @param json the schema
 * @param required the fields that an object must have, whether or not the schema has a type
 * @param none whether there is no constraint
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

    /** Returns a bound; a missing node for none. */
    public JsonNode bound(String name) {
        return json.path(name);
    }
}
