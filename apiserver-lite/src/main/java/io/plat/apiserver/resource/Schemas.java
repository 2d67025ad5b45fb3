package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plat.review.ApiGroups;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The definitions of the built-in types, read from {@code resource-schemas.json} when first asked for. */
final class Schemas {
    private static final String REF = "#/definitions/";

    private final JsonNode definitions;
    private final Map<String, String> byKind = new HashMap<>();

    private Schemas(JsonNode definitions) {
        this.definitions = definitions;
        for (Map.Entry<String, JsonNode> definition : definitions.properties()) {
            for (JsonNode kind : definition.getValue().path("x-kubernetes-group-version-kind")) {
                byKind.putIfAbsent(
                        id(Json.text(kind, "group"), Json.text(kind, "version"), Json.text(kind, "kind")),
                        definition.getKey());
            }
        }
    }

    private static final class Lazy {
        static final Schemas BUILT_IN = read();

        private static Schemas read() {
            try (InputStream in = Objects.requireNonNull(
                    Schemas.class.getResourceAsStream("resource-schemas.json"), "resource-schemas.json")) {
                return new Schemas(new JsonMapper().readTree(in));
            } catch (IOException e) {
                throw new UncheckedIOException("the program's own schemas can't be read", e);
            }
        }
    }

    static Schemas builtIn() {
        return Lazy.BUILT_IN;
    }

    private static String id(String group, String version, String kind) {
        return group + "/" + version + "/" + kind;
    }

    /** The schema of a type's objects. The specification's role objects have that of the version they are stored in. */
    JsonNode of(ResourceType type) {
        boolean alias = type.group().equals(ApiGroups.RBAC_PLAT);
        String name = byKind.get(
                alias ? id(ApiGroups.RBAC, "v1", type.kind()) : id(type.group(), type.version(), type.kind()));
        return name == null ? MissingNode.getInstance() : definitions.path(name);
    }

    /** The schema that stands here, or the one that is referred to. */
    JsonNode resolve(JsonNode schema) {
        String ref = Json.text(schema, "$ref");
        return ref.startsWith(REF) ? definitions.path(ref.substring(REF.length())) : schema;
    }

    /** Whether a schema refers to quantities, which may be written as numbers too. */
    static boolean isQuantity(JsonNode schema) {
        return Json.text(schema, "$ref").endsWith(".Quantity");
    }

    /** Whether a kind exists in some group and version. */
    boolean knows(String group, String version, String kind) {
        return byKind.containsKey(id(group, version, kind));
    }
}
