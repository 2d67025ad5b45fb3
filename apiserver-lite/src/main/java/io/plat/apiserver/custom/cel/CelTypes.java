package io.plat.apiserver.custom.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import io.plat.apiserver.custom.schema.SchemaNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The types of a schema, as expressions see them. */
final class CelTypes {
    private static final String WHOLE = "object";
    private static final String METADATA = "objectMeta";

    private final Map<String, StructType> types = new LinkedHashMap<>();
    private final Map<SchemaNode, CelType> byNode = new HashMap<>();

    /** The types of a schema and of all below it. */
    CelTypes(SchemaNode root) {
        struct(METADATA, Map.of("name", SimpleType.STRING, "generateName", SimpleType.STRING));
        byNode.put(root, type(root, WHOLE, true));
    }

    /** The type of the values of a schema. */
    CelType of(SchemaNode schema) {
        return byNode.getOrDefault(schema, SimpleType.DYN);
    }

    private CelType type(SchemaNode schema, String name, boolean whole) {
        CelType type = described(schema, name, whole);
        byNode.put(schema, type);
        return type;
    }

    private CelType described(SchemaNode schema, String name, boolean whole) {
        if (schema.intOrString()) {
            return SimpleType.DYN;
        }
        return switch (schema.type()) {
            case "object" -> object(schema, name, whole);
            case "array" ->
                schema.items() == null
                        ? ListType.create(SimpleType.DYN)
                        : ListType.create(type(schema.items(), name + ".@items", false));
            case "integer" -> SimpleType.INT;
            case "number" -> SimpleType.DOUBLE;
            case "boolean" -> SimpleType.BOOL;
            case "string" ->
                switch (schema.source().path("format").asText("")) {
                    case "byte" -> SimpleType.BYTES;
                    case "duration" -> SimpleType.DURATION;
                    case "date", "date-time", "datetime" -> SimpleType.TIMESTAMP;
                    default -> SimpleType.STRING;
                };
            default -> SimpleType.DYN;
        };
    }

    private CelType object(SchemaNode schema, String name, boolean whole) {
        if (schema.additional() != null && schema.properties().isEmpty()) {
            return MapType.create(SimpleType.STRING, type(schema.additional(), name + ".@values", false));
        }
        var fields = new HashMap<String, CelType>();
        schema.properties().forEach((field, below) -> {
            String escaped = Names.escaped(field);
            CelType type = type(below, name + "." + field, false);
            if (!escaped.isEmpty()) {
                fields.put(escaped, type);
            }
        });
        if (whole || schema.embedded()) {
            fields.put("apiVersion", SimpleType.STRING);
            fields.put("kind", SimpleType.STRING);
            fields.put("metadata", StructTypeReference.create(METADATA));
        }
        struct(name, fields);
        return StructTypeReference.create(name);
    }

    private void struct(String name, Map<String, CelType> named) {
        ImmutableMap<String, CelType> fields = ImmutableMap.copyOf(named);
        types.put(name, StructType.create(name, fields.keySet(), field -> Optional.ofNullable(fields.get(field))));
    }

    /** The types by which expressions are checked. */
    CelTypeProvider provider() {
        ImmutableMap<String, StructType> known = ImmutableMap.copyOf(types);
        return new CelTypeProvider() {
            @Override
            public ImmutableCollection<CelType> types() {
                return ImmutableList.copyOf(known.values());
            }

            @Override
            public Optional<CelType> findType(String typeName) {
                return Optional.ofNullable(known.get(typeName));
            }
        };
    }
}
