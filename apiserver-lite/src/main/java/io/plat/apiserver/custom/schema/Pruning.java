package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Takes out of an object what its schema does not know. */
public final class Pruning {
    private static final Set<String> META = Set.of("apiVersion", "kind", "metadata");

    /** How many unknown fields are told. */
    private static final int MOST = 100;

    private final List<String> unknown = new ArrayList<>();

    private Pruning() {}

    /**
     * Prunes in place.
     *
     * @return the fields that were taken out, by path
     */
    public static List<String> prune(SchemaNode schema, ObjectNode object) {
        var pruning = new Pruning();
        pruning.fields(schema, object, FieldPath.ROOT, true);
        return pruning.unknown;
    }

    private void value(@Nullable SchemaNode schema, JsonNode value, FieldPath at) {
        if (value instanceof ObjectNode object) {
            fields(schema, object, at, schema != null && schema.embedded());
        } else if (value instanceof ArrayNode list && !keptWhole(schema)) {
            for (int i = 0; i < list.size(); i++) {
                value(schema == null ? null : schema.items(), list.get(i), at.at(i));
            }
        }
    }

    /** Whether a list may hold anything: its elements are described nowhere, and kept. */
    private static boolean keptWhole(@Nullable SchemaNode schema) {
        return schema != null && schema.preserves() && schema.items() == null;
    }

    private void fields(@Nullable SchemaNode schema, ObjectNode object, FieldPath at, boolean whole) {
        for (String name : names(object)) {
            if (whole && META.contains(name)) {
                continue;
            }
            @Nullable
            SchemaNode field = schema == null ? null : schema.properties().get(name);
            if (field != null) {
                value(field, object.path(name), at.field(name));
            } else if (schema != null && (schema.additional() != null || schema.anyAdditional())) {
                value(schema.additional(), object.path(name), at.field(name));
            } else if (schema == null || !schema.preserves()) {
                if (unknown.size() < MOST) {
                    unknown.add(at.field(name).toString());
                }
                object.remove(name);
            }
        }
    }

    private static List<String> names(ObjectNode object) {
        var names = new ArrayList<String>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
