package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Swagger 1.2 documents: an index, and a declaration per group version. {@code experimental/v1} covers all unstable versions. Each is
 * built on first use, and rebuilt when the types change. Thread-safe; one thread at a time reads the large source document.
 */
public final class SwaggerListings {
    private static final String EXPERIMENTAL = "experimental/v1";
    private static final Pattern UNSTABLE = Pattern.compile("v[0-9]+(?:alpha|beta)[0-9]*");

    private final Supplier<Document> swagger;
    private @Nullable Kept kept;

    /** Declarations of a document: the names of all, and those that were built. */
    private record Kept(Object of, Set<String> names, Map<String, Document> made) {}

    /** Creates the listings from a version 2 document. */
    public SwaggerListings(Supplier<Document> swagger) {
        this.swagger = swagger;
    }

    /** Returns the declaration of a group version, such as {@code api/v1}, or of {@code experimental/v1}; the index for {@code ""}. */
    public synchronized Optional<Document> find(String name) {
        Document now = swagger.get();
        Kept known = kept;
        if (known == null || known.of() != now) {
            JsonNode paths = read(now).path("paths");
            known = new Kept(now, names(paths), new HashMap<>());
            kept = known;
        }
        Document made = known.made().get(name);
        if (made == null && (name.isEmpty() || known.names().contains(name))) {
            ObjectNode listing = name.isEmpty() ? index(known.names()) : declaration(read(now), name);
            made = Document.of(listing.toString().getBytes(StandardCharsets.UTF_8));
            known.made().put(name, made);
        }
        return Optional.ofNullable(made);
    }

    private static JsonNode read(Document document) {
        try {
            return new JsonMapper(JsonFactories.create()).readTree(document.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own document is JSON", e);
        }
    }

    private static Set<String> names(JsonNode paths) {
        var names = new TreeSet<String>();
        paths.fieldNames().forEachRemaining(path -> names.add(groupVersion(path)));
        names.add(EXPERIMENTAL);
        return names;
    }

    /** Returns {@code api/v1} or {@code apis/GROUP/VERSION}. */
    private static String groupVersion(String path) {
        String[] parts = path.split("/", -1);
        return parts[1].equals("api") ? "api/" + parts[2] : "apis/" + parts[2] + "/" + parts[3];
    }

    private static ObjectNode index(Set<String> names) {
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

    private static ObjectNode declaration(JsonNode swagger, String name) {
        Predicate<String> about = name.equals(EXPERIMENTAL)
                ? other -> UNSTABLE.matcher(version(other)).matches()
                : name::equals;
        ObjectNode declaration = JsonNodeFactory.instance.objectNode().put("swaggerVersion", "1.2");
        declaration.put("apiVersion", version(name)).put("basePath", "/").put("resourcePath", "/" + name);
        declaration.putObject("info").put("title", description(name)).put("description", "");
        ArrayNode apis = declaration.putArray("apis");
        SwaggerModels models = new SwaggerModels(swagger.path("definitions"));
        for (Map.Entry<String, JsonNode> path : swagger.path("paths").properties()) {
            if (about.test(groupVersion(path.getKey()))) {
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
            if (SwaggerForm.METHODS.contains(operation.getKey())) {
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
}
