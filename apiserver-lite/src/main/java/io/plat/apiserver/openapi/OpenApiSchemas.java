package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.ProgramData;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.ApiGroups;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** OpenAPI schemas of built-in types by kind. Immutable and thread-safe. */
final class OpenApiSchemas {
    static final String PATCH = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";

    static final String STATUS = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";

    static final String DELETE_OPTIONS = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";

    static final String KINDS = "x-kubernetes-group-version-kind";

    /** Beginning of a reference in OpenAPI v2, which is the form of the files. */
    private static final String REFERENCE = "#/definitions/";

    private static final String COMPONENT = "#/components/schemas/";

    private final Map<String, JsonNode> definitions = new HashMap<>();
    private final Map<String, String> byKind = new HashMap<>();

    private OpenApiSchemas(List<JsonNode> sources) {
        for (JsonNode source : sources) {
            source.properties().forEach(definition -> add(definition.getKey(), definition.getValue()));
        }
    }

    private void add(String name, JsonNode definition) {
        definitions.put(name, definition);
        for (JsonNode kind : definition.path(KINDS)) {
            String group = kind.path("group").asText();
            String named = kind.path("kind").asText();
            byKind.putIfAbsent(group + "/" + kind.path("version").asText() + "/" + named, name);
            byKind.putIfAbsent(group + "//" + named, name);
        }
    }

    /** Returns the schemas that ship with the resource types, including types specific to this product and descriptions of metadata. */
    static OpenApiSchemas builtIn() {
        return new OpenApiSchemas(List.of(
                ProgramData.json(ResourceCatalog.class, "resource-schemas.json"),
                ProgramData.json(OpenApiSchemas.class, "own-schemas.json")));
    }

    /** Returns the schema name of a kind; the alias of a group, and a version without its own schema, share it. */
    Optional<String> nameOf(ResourceType.GroupVersionKind of) {
        String exact = byKind.get(of.group() + "/" + of.version() + "/" + of.kind());
        return Optional.ofNullable(
                exact == null ? byKind.get(ApiGroups.canonical(of.group()) + "//" + of.kind()) : exact);
    }

    static ResourceType.GroupVersionKind kind(ResourceType type, String suffix) {
        return new ResourceType.GroupVersionKind(type.group(), type.version(), type.kind() + suffix);
    }

    /** Adds schemas and everything they reference, unless present. */
    void addReferenced(Map<String, List<ResourceType.GroupVersionKind>> roots, boolean plain, ObjectNode into) {
        Deque<String> open = new ArrayDeque<>(roots.keySet());
        while (!open.isEmpty()) {
            String name = open.pop();
            JsonNode definition = definitions.get(name);
            if (into.has(name) || definition == null) {
                // Present already, or a custom type's own.
                continue;
            }
            ObjectNode schema = definition.deepCopy();
            List<ResourceType.GroupVersionKind> kinds = roots.getOrDefault(name, List.of());
            if (!name.equals(DELETE_OPTIONS) || !kinds.isEmpty()) {
                schema.remove(KINDS);
            }
            for (ResourceType.GroupVersionKind kind : kinds) {
                schema.withArray(KINDS).add(groupVersionKind(kind));
            }
            rewrite(schema, plain, open::push);
            into.set(name, schema);
        }
    }

    static ObjectNode groupVersionKind(ResourceType.GroupVersionKind kind) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("group", kind.group())
                .put("version", kind.version())
                .put("kind", kind.kind());
    }

    static ObjectNode reference(String name, boolean plain) {
        return JsonNodeFactory.instance.objectNode().put("$ref", (plain ? REFERENCE : COMPONENT) + name);
    }

    /** Reports the names in references, and rewrites these to OpenAPI v3 unless plain; there, their siblings require {@code allOf}. */
    static void rewrite(JsonNode node, boolean plain, Consumer<String> referred) {
        if (node instanceof ObjectNode object && object.path("$ref").isTextual()) {
            String name = object.path("$ref").asText().substring(REFERENCE.length());
            referred.accept(name);
            object.remove("$ref");
            if (plain || object.isEmpty()) {
                object.setAll(reference(name, plain));
            } else {
                object.putArray("allOf").add(reference(name, false));
            }
            return;
        }
        node.forEach(child -> rewrite(child, plain, referred));
    }
}
