package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.type.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Documents in the form of Swagger 1.2: an index, and a declaration for each group version. {@code experimental/v1} covers all versions
 * that are not stable. Declarations of built-in types are cached; others are generated for each request. Thread-safe.
 */
public record SwaggerListings(OpenApiDocuments documents) {
    private static final String EXPERIMENTAL = "experimental/v1";

    private static final List<String> METHODS = List.of("get", "put", "post", "delete", "patch");

    /** Copies of a document in addition to its tree: the listing and its text. */
    private static final int FORMS = 2;

    private static final Pattern UNSTABLE = Pattern.compile("v[0-9]+(?:alpha|beta)[0-9]*");

    /** Returns the declaration of a group version, such as {@code api/v1}, or of {@code experimental/v1}; the index for {@code ""}. */
    public Optional<HashedDocument> find(String name) {
        if (name.isEmpty()) {
            return Optional.of(documents.kept("/swaggerapi", documents.state(), () -> document(index())));
        }
        boolean experimental = name.equals(EXPERIMENTAL);
        var about = new LinkedHashMap<String, List<ResourceType>>();
        documents.prefixes().forEach((prefix, types) -> {
            if (experimental ? UNSTABLE.matcher(version(prefix)).matches() : prefix.equals(name)) {
                about.put(prefix, types);
            }
        });
        if (about.isEmpty() && !experimental) {
            return Optional.empty();
        }
        List<Map<String, List<ResourceType>>> parts = OpenApiDocuments.parts(about);
        return Optional.of(
                parts.size() == 1
                        ? documents.kept("/swaggerapi/" + name, documents, () -> document(declaration(parts, name)))
                        : document(declaration(parts, name)));
    }

    private static HashedDocument document(ObjectNode listing) {
        return HashedDocument.of(listing.toString().getBytes(StandardCharsets.UTF_8));
    }

    private ObjectNode index() {
        var names = new TreeSet<>(documents.prefixes().keySet());
        names.add(EXPERIMENTAL);
        ObjectNode index = JsonNodeFactory.instance.objectNode().put("swaggerVersion", "1.2");
        ArrayNode apis = index.putArray("apis");
        for (String name : names) {
            apis.addObject().put("path", "/" + name).put("description", description(name));
        }
        index.put("apiVersion", "");
        index.putObject("info").put("title", "apiserver-lite").put("description", "");
        return index;
    }

    private static String description(String name) {
        return name.equals(EXPERIMENTAL) ? "the versions that are not stable" : "API at /" + name;
    }

    private ObjectNode declaration(List<Map<String, List<ResourceType>>> parts, String name) {
        ObjectNode declaration = JsonNodeFactory.instance.objectNode().put("swaggerVersion", "1.2");
        declaration.put("apiVersion", version(name)).put("basePath", "/").put("resourcePath", "/" + name);
        declaration.putObject("info").put("title", description(name)).put("description", "");
        ArrayNode apis = declaration.putArray("apis");
        ObjectNode definitions = JsonNodeFactory.instance.objectNode();
        SwaggerModels models = new SwaggerModels(definitions);
        for (Map<String, List<ResourceType>> part : parts) {
            if (parts.size() > 1) {
                // Before anything is generated, as the request may restart here.
                RequestMemory.current().compute(Integer.MAX_VALUE);
            }
            ObjectNode swagger = documents.document(part, true);
            if (parts.size() > 1) {
                RequestMemory.current().charge(FORMS * TreeSize.of(swagger));
            }
            definitions.setAll((ObjectNode) swagger.path("definitions"));
            for (Map.Entry<String, JsonNode> path : swagger.path("paths").properties()) {
                path(path.getKey(), path.getValue(), models, apis.addObject());
            }
        }
        declaration.set("models", models.close());
        return declaration;
    }

    private static String version(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /** Describes a path with its operations, whose inputs and outputs are models. */
    private static void path(String path, JsonNode item, SwaggerModels models, ObjectNode into) {
        into.put("path", path).put("description", "API at " + path);
        ArrayNode operations = into.putArray("operations");
        for (Map.Entry<String, JsonNode> operation : item.properties()) {
            if (METHODS.contains(operation.getKey())) {
                ObjectNode described = operations.addObject();
                described.put("method", operation.getKey().toUpperCase(Locale.ROOT));
                described.put("nickname", operation.getKey() + path.replaceAll("[^A-Za-z0-9]+", "_"));
                operation(operation.getValue(), item.path("parameters"), models, described);
            }
        }
    }

    private static void operation(JsonNode operation, JsonNode ofAll, SwaggerModels models, ObjectNode into) {
        into.put("type", "void");
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
            JsonNode schema = response.getValue().path("schema");
            if (schema.isObject() && into.path("type").asText().equals("void")) {
                into.put("type", models.type(schema));
            }
            if (schema.has("$ref")) {
                message.put("responseModel", models.type(schema));
            }
        }
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

    /**
     * Models of a Swagger 1.2 declaration: all transitively referenced definitions. They are named by version and kind, as clients of that
     * time look them up ({@code v1.Pod}); on a conflict, the second keeps its full name. Types without members, such as times and
     * quantities, become plain types.
     */
    private static final class SwaggerModels {
        private static final String REFERENCE = "#/definitions/";

        private final JsonNode definitions;
        private final Map<String, String> ids = new HashMap<>();
        private final Set<String> usedIds = new HashSet<>();
        private final ObjectNode models = JsonNodeFactory.instance.objectNode();
        private final Deque<String> open = new ArrayDeque<>();

        /** Creates an empty set of models. */
        SwaggerModels(JsonNode definitions) {
            this.definitions = definitions;
        }

        /** Returns the type name of a schema: its model, which is added, or a plain type. */
        String type(JsonNode schema) {
            JsonNode intended = resolved(schema);
            return schema.has("$ref") && isModel(intended)
                    ? model(name(schema))
                    : intended.path("type").asText("any");
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
            String id = usedIds.add(shortly) ? shortly : name;
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
            JsonNode intended = resolved(schema);
            if (schema.has("description")) {
                into.put("description", schema.path("description").asText());
            }
            if (schema.has("$ref") && isModel(intended)) {
                into.put("$ref", model(name(schema)));
                return;
            }
            // Anonymous object schemas cannot be expressed in this form: clients do not validate them.
            into.put("type", intended.path("type").asText("any"));
            if (intended.has("format")) {
                into.put("format", intended.path("format").asText());
            }
            if (intended.path("items").isObject()) {
                property(intended.path("items"), into.putObject("items"));
            }
        }
    }
}
