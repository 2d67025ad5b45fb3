package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.resource.ResourceCatalog;
import io.plat.apiserver.resource.ResourceType;
import io.plat.review.ApiGroups;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The schemas of the built-in types, looked up by kind. */
final class Schemas {
    private static final String KINDS = "x-kubernetes-group-version-kind";
    private static final String REFERENCE = "#/definitions/";

    private final JsonNode definitions;
    private final Map<String, String> byGroupKind = new HashMap<>();

    private Schemas(JsonNode definitions) {
        this.definitions = definitions;
        for (Map.Entry<String, JsonNode> definition : definitions.properties()) {
            for (JsonNode kind : definition.getValue().path(KINDS)) {
                byGroupKind.putIfAbsent(
                        kind.path("group").asText() + "/" + kind.path("kind").asText(), definition.getKey());
            }
        }
    }

    /** The schemas that ship with the resource types. */
    static Schemas builtIn() {
        try (InputStream in = Objects.requireNonNull(
                ResourceCatalog.class.getResourceAsStream("resource-schemas.json"), "resource-schemas.json")) {
            return new Schemas(new JsonMapper().readTree(in));
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own schemas can't be read", e);
        }
    }

    /** The name of the schema of a type's objects; a group's other name and its other versions share it. */
    Optional<String> nameOf(ResourceType type) {
        return Optional.ofNullable(byGroupKind.get(ApiGroups.canonical(type.group()) + "/" + type.kind()));
    }

    /** Schemas by name, with all that they refer to, in the form of OpenAPI v3. */
    ObjectNode closure(Map<String, ResourceType> roots) {
        ObjectNode found = JsonNodeFactory.instance.objectNode();
        Deque<String> open = new ArrayDeque<>(roots.keySet());
        while (!open.isEmpty()) {
            String name = open.pop();
            if (found.has(name)) {
                continue;
            }
            ObjectNode schema = definitions.path(name).deepCopy();
            schema.remove(KINDS);
            ResourceType type = roots.get(name);
            if (type != null) {
                schema.putArray(KINDS).add(groupVersionKind(type));
            }
            rewrite(schema, open);
            found.set(name, schema);
        }
        return found;
    }

    /** Group, version and kind, as extensions of the documents name them. */
    static ObjectNode groupVersionKind(ResourceType type) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("group", type.group())
                .put("version", type.version())
                .put("kind", type.kind());
    }

    /** A reference to a schema of the same document. */
    static ObjectNode reference(String name) {
        return JsonNodeFactory.instance.objectNode().put("$ref", "#/components/schemas/" + name);
    }

    /** Points references at the place of OpenAPI v3 and notes what they name; what stands beside one needs {@code allOf}. */
    private static void rewrite(JsonNode node, Deque<String> referred) {
        if (node instanceof ObjectNode object && object.path("$ref").isTextual()) {
            String name = object.path("$ref").asText().substring(REFERENCE.length());
            referred.push(name);
            object.remove("$ref");
            if (object.isEmpty()) {
                object.setAll(reference(name));
            } else {
                object.putArray("allOf").add(reference(name));
            }
            return;
        }
        node.forEach(child -> rewrite(child, referred));
    }
}
