package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a type.
 *
 * @param properties its fields by name
 * @param required the names of those that every object has
 */
record Schema(Map<String, Property> properties, Set<String> required) {
    private static final String REFERENCE = "#/definitions/";

    Schema {
        properties = Map.copyOf(properties);
        required = Set.copyOf(required);
    }

    /**
     * The values of a field, or the elements of an array or map.
     *
     * @param type the JSON type, {@code ""} for another definition's
     * @param format what the type is more exactly, or {@code ""}
     * @param definition the definition that the values follow, or {@code ""}
     * @param elements what an array or map holds, else null
     */
    record Property(
            String type,
            String format,
            String definition,
            @Nullable Property elements) {}

    static Schema of(JsonNode definition) {
        var properties = new LinkedHashMap<String, Property>();
        definition
                .path("properties")
                .properties()
                .forEach(named -> properties.put(named.getKey(), property(named.getValue())));
        var required = new HashSet<String>();
        definition.path("required").forEach(name -> required.add(name.asText()));
        return new Schema(properties, required);
    }

    private static Property property(JsonNode node) {
        String reference = node.path("$ref").asText();
        JsonNode elements = node.has("items") ? node.path("items") : node.path("additionalProperties");
        return new Property(
                node.path("type").asText(),
                node.path("format").asText(),
                reference.startsWith(REFERENCE) ? reference.substring(REFERENCE.length()) : "",
                elements.isObject() ? property(elements) : null);
    }
}
