package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Models of a Swagger 1.2 declaration: all transitively referenced definitions. They are named by version and kind, as clients of that
 * time look them up ({@code v1.Pod}); on a conflict, the second keeps its full name. Types without members, such as times and quantities,
 * become plain types.
 */
final class SwaggerModels {
    private static final String REFERENCE = "#/definitions/";

    private final JsonNode definitions;
    private final Map<String, String> ids = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private final ObjectNode models = JsonNodeFactory.instance.objectNode();
    private final Deque<String> open = new ArrayDeque<>();

    /** Creates an empty set of models. */
    SwaggerModels(JsonNode definitions) {
        this.definitions = definitions;
    }

    /** Returns the type name of a schema: its model, which is added, or a plain type. */
    String type(JsonNode schema) {
        JsonNode meant = resolved(schema);
        return schema.has("$ref") && isModel(meant)
                ? model(name(schema))
                : meant.path("type").asText("any");
    }

    private JsonNode resolved(JsonNode schema) {
        return schema.has("$ref") ? definitions.path(name(schema)) : schema;
    }

    private static boolean isModel(JsonNode definition) {
        return !definition.path("properties").isEmpty();
    }

    private static String name(JsonNode reference) {
        String address = reference.path("$ref").asText();
        return address.startsWith(REFERENCE) ? address.substring(REFERENCE.length()) : "";
    }

    private String model(String name) {
        String known = ids.get(name);
        if (known != null) {
            return known;
        }
        int kind = name.lastIndexOf('.');
        String shortly = name.substring(name.lastIndexOf('.', kind - 1) + 1);
        String id = taken.add(shortly) ? shortly : name;
        ids.put(name, id);
        open.add(name);
        return id;
    }

    /** Returns all models, after the last reference. */
    ObjectNode close() {
        while (!open.isEmpty()) {
            String name = open.pop();
            JsonNode definition = definitions.path(name);
            String id = model(name);
            ObjectNode model = models.putObject(id).put("id", id);
            if (definition.has("description")) {
                model.put("description", definition.path("description").asText());
            }
            if (definition.has("required")) {
                model.set("required", definition.path("required"));
            }
            ObjectNode properties = model.putObject("properties");
            definition
                    .path("properties")
                    .properties()
                    .forEach(field -> property(field.getValue(), properties.putObject(field.getKey())));
        }
        return models;
    }

    private void property(JsonNode schema, ObjectNode into) {
        JsonNode meant = resolved(schema);
        if (schema.has("description")) {
            into.put("description", schema.path("description").asText());
        }
        if (schema.has("$ref") && isModel(meant)) {
            into.put("$ref", model(name(schema)));
            return;
        }
        // Anonymous object schemas cannot be expressed in this form: clients do not validate them.
        into.put("type", meant.path("type").asText("any"));
        if (meant.has("format")) {
            into.put("format", meant.path("format").asText());
        }
        if (meant.path("items").isObject()) {
            property(meant.path("items"), into.putObject("items"));
        }
    }
}
