package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Conversion of OpenAPI v3 documents to version 2 (Swagger), as far as the documents of this package need it. */
final class SwaggerConversion {
    static final List<String> METHODS = List.of("get", "put", "post", "delete", "patch");

    private SwaggerConversion() {}

    /**
     * Converts a document.
     *
     * @param document version 3 document; consumed and modified
     */
    static ObjectNode of(ObjectNode document) {
        ObjectNode swagger = JsonNodeFactory.instance.objectNode().put("swagger", "2.0");
        swagger.set("info", document.path("info"));
        ObjectNode paths = swagger.putObject("paths");
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            ObjectNode item = paths.putObject(path.getKey());
            for (Map.Entry<String, JsonNode> member : path.getValue().properties()) {
                if (METHODS.contains(member.getKey())) {
                    item.set(member.getKey(), operation((ObjectNode) member.getValue()));
                } else {
                    item.set(member.getKey(), parameters(member.getValue()));
                }
            }
        }
        JsonNode schemas = document.path("components").path("schemas");
        schemas.forEach(SwaggerConversion::schema);
        swagger.set("definitions", schemas);
        return swagger;
    }

    private static ObjectNode operation(ObjectNode operation) {
        ArrayNode parameters = parameters(operation.path("parameters"));
        JsonNode body = operation.remove("requestBody");
        if (body != null) {
            JsonNode content = body.path("content");
            ObjectNode parameter =
                    parameters.addObject().put("name", "body").put("in", "body").put("required", true);
            parameter.set("schema", first(content));
            ArrayNode consumes = operation.putArray("consumes");
            content.properties().forEach(type -> consumes.add(type.getKey()));
        }
        operation.set("parameters", parameters);
        operation.putArray("produces").add("application/json").add("application/yaml");
        for (JsonNode response : operation.path("responses")) {
            JsonNode content = ((ObjectNode) response).remove("content");
            if (content != null) {
                ((ObjectNode) response).set("schema", first(content));
            }
        }
        return operation;
    }

    /** Returns the schema of a content, which is the same for all media types. */
    private static JsonNode first(JsonNode content) {
        JsonNode schema = content.iterator().next().path("schema").deepCopy();
        schema(schema);
        return schema;
    }

    private static ArrayNode parameters(JsonNode parameters) {
        ArrayNode changed = JsonNodeFactory.instance.arrayNode();
        for (JsonNode parameter : parameters) {
            ObjectNode plain = parameter.deepCopy();
            plain.setAll((ObjectNode) plain.remove("schema"));
            changed.add(plain);
        }
        return changed;
    }

    /** Converts a schema: version 2 has another location for schemas, and allows siblings of a reference. */
    private static void schema(JsonNode node) {
        if (node instanceof ObjectNode object) {
            JsonNode only = object.path("allOf");
            if (only.size() == 1 && only.path(0).path("$ref").isTextual()) {
                object.remove("allOf");
                object.set("$ref", only.path(0).path("$ref"));
            }
            if (object.path("$ref").isTextual()) {
                object.put(
                        "$ref",
                        "#/definitions/"
                                + OpenApiSchemas.referred(object.path("$ref").asText()));
            }
        }
        node.forEach(SwaggerConversion::schema);
    }
}
