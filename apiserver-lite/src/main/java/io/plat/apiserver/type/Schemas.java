package io.plat.apiserver.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.Definitions;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.tree.ProgramData;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Schemas of the built-in types, loaded from {@code resource-schemas.json} on first use, with defaults from {@code defaults.json}. Strings
 * that {@code pointers.json} maps to {@code true} are pointers in Kubernetes, so an empty one differs from an absent one; numbers and
 * booleans that it maps to {@code false} are not pointers, so a zero equals an absent one.
 */
public final class Schemas {
    /** Definition of objects that have only metadata. */
    private static final String META = "io.k8s.api.core.v1.ConfigMap";

    private final Definitions definitions;
    private final Map<String, String> byKind = new HashMap<>();

    private Schemas(JsonNode definitions) {
        this.definitions = new Definitions(definitions, true);
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
            JsonNode definitions = ProgramData.json(Schemas.class, "resource-schemas.json");
            extend(definitions, "default", "defaults.json");
            extend(definitions, "nullable", "pointers.json");
            return new Schemas(definitions);
        }

        private static void extend(JsonNode definitions, String member, String file) {
            for (Map.Entry<String, JsonNode> type :
                    ProgramData.json(Schemas.class, file).properties()) {
                for (Map.Entry<String, JsonNode> field : type.getValue().properties()) {
                    ObjectNode schema = (ObjectNode) Objects.requireNonNull(
                            definitions.at("/" + type.getKey() + "/properties").get(field.getKey()),
                            () -> type.getKey() + " " + field.getKey());
                    schema.set(member, field.getValue());
                }
            }
        }
    }

    public static Schemas builtIn() {
        return Lazy.BUILT_IN;
    }

    private static String id(String group, String version, String kind) {
        return group + "/" + version + "/" + kind;
    }

    TypeSchema withMetadata() {
        return definitions.named(META);
    }

    /** Returns the schema of whole objects of a custom type: declared fields and metadata. */
    public static TypeSchema whole(TypeSchema declared) {
        var inherited = new HashMap<String, TypeSchema>();
        for (String name : List.of("apiVersion", "kind", "metadata")) {
            inherited.put(name, builtIn().withMetadata().at(name).orElse(TypeSchema.UNKNOWN));
        }
        return declared.whole(inherited);
    }

    public Optional<TypeSchema> find(String group, String version, String kind) {
        return Optional.ofNullable(byKind.get(id(group, version, kind))).map(definitions::named);
    }

    public boolean knows(String group, String version, String kind) {
        return byKind.containsKey(id(group, version, kind));
    }
}
