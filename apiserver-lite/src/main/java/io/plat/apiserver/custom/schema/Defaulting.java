package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Fills in what an object leaves unsaid, by the {@code default}s of its schema. */
public final class Defaulting {
    private Defaulting() {}

    /** Whether a schema has any. */
    public static boolean any(SchemaNode schema) {
        return !schema.standard().isMissingNode()
                || schema.properties().values().stream().anyMatch(Defaulting::any)
                || (schema.items() != null && any(schema.items()))
                || (schema.additional() != null && any(schema.additional()));
    }

    /** Fills in, in place, from the outside inwards: what was filled in is completed too. */
    public static void complete(SchemaNode schema, JsonNode value) {
        if (value instanceof ObjectNode object) {
            fields(schema, object);
        } else if (value.isArray() && schema.items() != null) {
            for (JsonNode element : value) {
                complete(schema.items(), element);
            }
        }
    }

    private static void fields(SchemaNode schema, ObjectNode object) {
        for (Map.Entry<String, SchemaNode> field : schema.properties().entrySet()) {
            JsonNode standard = field.getValue().standard();
            JsonNode present = object.path(field.getKey());
            // A null that can't be one is as good as nothing where there is a default.
            boolean unsaid = present.isMissingNode()
                    || (present.isNull() && !field.getValue().nullable());
            if (unsaid && !standard.isMissingNode()) {
                object.set(field.getKey(), standard.deepCopy());
            }
            JsonNode now = object.path(field.getKey());
            if (now.isContainerNode()) {
                complete(field.getValue(), now);
            }
        }
        SchemaNode others = schema.additional();
        if (others != null) {
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                if (!schema.properties().containsKey(field.getKey())) {
                    if (field.getValue().isNull()
                            && !others.nullable()
                            && !others.standard().isMissingNode()) {
                        field.setValue(others.standard().deepCopy());
                    }
                    complete(others, field.getValue());
                }
            }
        }
    }
}
