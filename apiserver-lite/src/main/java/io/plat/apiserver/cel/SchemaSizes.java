package io.plat.apiserver.cel;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.tree.Json;
import io.plat.cel.DeclaredSize;
import io.plat.cel.ExpressionIdentifiers;
import io.plat.engine.lookup.Frozen;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maximum sizes of the values of a schema, as Kubernetes assumes them: {@code maxLength}, {@code maxItems} and {@code maxProperties},
 * otherwise as many as fit into a request of 3 MiB.
 */
public final class SchemaSizes {
    private static final DeclaredSize TEXT = DeclaredSize.simple(DeclaredSize.REQUEST - 2, 2);

    private SchemaSizes() {}

    public static Map<TypeSchema, DeclaredSize> all(TypeSchema root) {
        Map<TypeSchema, DeclaredSize> all = new HashMap<>();
        of(root, true, all);
        return all;
    }

    private static Optional<DeclaredSize> of(TypeSchema schema, boolean rootObject, Map<TypeSchema, DeclaredSize> all) {
        Optional<DeclaredSize> size = described(schema, rootObject, all);
        size.ifPresent(known -> all.put(schema, known));
        return size;
    }

    private static Optional<DeclaredSize> described(
            TypeSchema schema, boolean rootObject, Map<TypeSchema, DeclaredSize> all) {
        JsonNode source = schema.json();
        if (schema.intOrString()) {
            return Optional.of(DeclaredSize.simple(
                    source.has("maxLength") ? limit(source, "maxLength", 0) * 4 : DeclaredSize.REQUEST - 2, 1));
        }
        return switch (schema.type()) {
            case "array" ->
                below(schema.items(), all)
                        .map(items -> new DeclaredSize(
                                limit(source, "maxItems", (DeclaredSize.REQUEST - 2) / (items.bytes() + 1)),
                                2,
                                Map.of(),
                                items));
            case "object" ->
                schema.additional() == null
                        ? Optional.of(object(schema, rootObject, all))
                        : below(schema.additional(), all)
                                .map(values -> new DeclaredSize(
                                        limit(
                                                source,
                                                "maxProperties",
                                                (DeclaredSize.REQUEST - 2) / (values.bytes() + 6)),
                                        2,
                                        Map.of(),
                                        values));
            case "string" -> Optional.of(text(source));
            case "boolean" -> Optional.of(DeclaredSize.simple(0, 4));
            case "number", "integer" -> Optional.of(DeclaredSize.simple(0, 1));
            default -> Optional.empty();
        };
    }

    private static Optional<DeclaredSize> below(@Nullable TypeSchema schema, Map<TypeSchema, DeclaredSize> all) {
        return schema == null ? Optional.empty() : of(schema, schema.embedded(), all);
    }

    private static DeclaredSize object(TypeSchema schema, boolean rootObject, Map<TypeSchema, DeclaredSize> all) {
        var fields = new HashMap<String, DeclaredSize>();
        Set<String> required = Frozen.copyOf(Json.texts(schema.json().path("required")));
        long bytes = 2;
        for (Map.Entry<String, TypeSchema> property : schema.properties().entrySet()) {
            String name = property.getKey();
            Optional<DeclaredSize> size = below(property.getValue(), all);
            size.ifPresent(known -> fields.put(ExpressionIdentifiers.escaped(name), known));
            if (size.isPresent()
                    && required.contains(name)
                    && property.getValue().defaultValue().isMissingNode()) {
                bytes += name.length() + size.get().bytes() + 4;
            }
        }
        if (rootObject && !isDescribed(schema)) {
            Map<String, DeclaredSize> names = Map.of("name", TEXT, "generateName", TEXT);
            fields.putAll(Map.of("kind", TEXT, "apiVersion", TEXT, "metadata", new DeclaredSize(0, 2, names, null)));
        }
        return new DeclaredSize(0, bytes, fields, null);
    }

    /** Returns whether a schema itself describes the fields common to all objects. */
    private static boolean isDescribed(TypeSchema schema) {
        JsonNode all = schema.json().path("properties");
        JsonNode metadata = all.path("metadata").path("properties");
        return all.at("/kind/type").asText().equals("string")
                && all.at("/apiVersion/type").asText().equals("string")
                && metadata.at("/name/type").asText().equals("string")
                && metadata.at("/generateName/type").asText().equals("string");
    }

    private static DeclaredSize text(JsonNode source) {
        return switch (source.path("format").asText("")) {
            case "byte" -> DeclaredSize.simple(limit(source, "maxLength", DeclaredSize.REQUEST - 2), 2);
            case "duration" -> DeclaredSize.simple(32, 3);
            case "date" -> DeclaredSize.simple(12, 12);
            case "date-time" -> DeclaredSize.simple(32, 21);
            default -> {
                long max = DeclaredSize.REQUEST - 2;
                if (source.has("maxLength")) {
                    max = limit(source, "maxLength", 0) * 4;
                } else if (!source.path("enum").isEmpty()) {
                    max = source.path("enum")
                            .valueStream()
                            .mapToLong(value -> value.asText().length())
                            .max()
                            .orElse(0);
                }
                yield DeclaredSize.simple(max, 2);
            }
        };
    }

    private static long limit(JsonNode source, String field, long otherwise) {
        return Math.clamp(source.path(field).asLong(otherwise), 0, Long.MAX_VALUE / 4);
    }
}
