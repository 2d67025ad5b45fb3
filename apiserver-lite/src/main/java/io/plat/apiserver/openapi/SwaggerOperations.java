package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A path of a document of version 2 with its operations, in the form of Swagger 1.2. */
final class SwaggerOperations {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    private SwaggerOperations() {}

    /** Describes a path; what its operations take and give are models. */
    static void describe(String path, JsonNode item, SwaggerModels models, ObjectNode into) {
        into.put("path", path).put("description", "API at " + path);
        ArrayNode operations = into.putArray("operations");
        for (Map.Entry<String, JsonNode> operation : item.properties()) {
            if (METHODS.contains(operation.getKey())) {
                ObjectNode described = operations.addObject();
                described.put("method", operation.getKey().toUpperCase(Locale.ROOT));
                described.put("nickname", operation.getKey() + path.replaceAll("[^A-Za-z0-9]+", "_"));
                describe(operation.getValue(), item.path("parameters"), models, described);
            }
        }
    }

    private static void describe(JsonNode operation, JsonNode ofAll, SwaggerModels models, ObjectNode into) {
        into.put("type", type(operation, models));
        ArrayNode parameters = into.putArray("parameters");
        for (JsonNode several : List.of(ofAll, operation.path("parameters"))) {
            several.forEach(parameter -> parameter(parameter, models, parameters.addObject()));
        }
        for (String list : List.of("produces", "consumes")) {
            if (operation.has(list)) {
                into.set(list, operation.path(list));
            }
        }
        ArrayNode responses = into.putArray("responseMessages");
        for (Map.Entry<String, JsonNode> response : operation.path("responses").properties()) {
            ObjectNode message = responses.addObject().put("code", Integer.parseInt(response.getKey()));
            message.put("message", response.getValue().path("description").asText());
            if (response.getValue().path("schema").has("$ref")) {
                message.put("responseModel", models.type(response.getValue().path("schema")));
            }
        }
    }

    private static String type(JsonNode operation, SwaggerModels models) {
        for (JsonNode response : operation.path("responses")) {
            if (response.has("schema")) {
                return models.type(response.path("schema"));
            }
        }
        return "void";
    }

    private static void parameter(JsonNode parameter, SwaggerModels models, ObjectNode into) {
        into.put("name", parameter.path("name").asText())
                .put("paramType", parameter.path("in").asText())
                .put("required", parameter.path("required").asBoolean());
        if (parameter.has("description")) {
            into.put("description", parameter.path("description").asText());
        }
        into.put("type", models.type(parameter.has("schema") ? parameter.path("schema") : parameter));
    }
}
