package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Constraints of a schema on values in addition to their type: bounds, enumerations, junctors. Immutable.
 *
 * @param json the schema
 * @param required the fields that an object must have, whether or not the schema has a type
 * @param allowed the values of {@code enum}
 * @param allowedKeys their identities, numbers by their values
 * @param none whether there is no constraint
 */
public record Constraints(
        JsonNode json,
        List<String> required,
        List<JsonNode> allowed,
        Set<Object> allowedKeys,
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
                json.path("enum").valueStream().map(Constraints::key).collect(Collectors.toSet()),
                schemas(json.path("allOf")),
                schemas(json.path("anyOf")),
                schemas(json.path("oneOf")),
                json.path("not").isObject() ? TypeSchema.of(json.path("not")) : null,
                MEMBERS.stream().noneMatch(json::has));
    }

    /** Returns the identity of a value; that of a number is its value, regardless of its notation. */
    private static Object key(JsonNode value) {
        return value.isTextual()
                ? value.textValue()
                : NodeKey.of(
                        value.isNumber()
                                ? DecimalNode.valueOf(value.decimalValue().stripTrailingZeros())
                                : value);
    }

    /** Returns whether a value is one of those that are allowed, or any is. */
    public boolean allows(JsonNode value) {
        return allowed.isEmpty() || allowedKeys.contains(key(value));
    }

    private static List<TypeSchema> schemas(JsonNode list) {
        return list.valueStream().map(TypeSchema::of).toList();
    }

    /** Returns whether values are also checked against other schemas. */
    public boolean hasJunctors() {
        return not != null || !(allOf.isEmpty() && anyOf.isEmpty() && oneOf.isEmpty());
    }

    /** Returns a bound; a missing node if absent. */
    public JsonNode bound(String name) {
        return json.path(name);
    }
}
