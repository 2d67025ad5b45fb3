package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import java.util.Map;

/** Fills in what an object leaves unsaid, by the {@code default}s of its schema. */
public final class Defaulting {
    /** The field of a value that is filled in, for the object and for the owners of its fields, which have it too. */
    private static final int FIELD = 400;

    /** The copies of a value that is filled in, as of one that was sent. */
    private static final int DERIVED = 3;

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
        complete(schema, value, RequestMemory.current());
    }

    private static void complete(SchemaNode schema, JsonNode value, RequestMemory memory) {
        if (value instanceof ObjectNode object) {
            fields(schema, object, memory);
        } else if (value.isArray() && schema.items() != null) {
            for (JsonNode element : value) {
                complete(schema.items(), element, memory);
            }
        }
    }

    /** A copy of a default; a small one among many objects is a large one. */
    private static JsonNode copy(JsonNode standard, RequestMemory memory) {
        memory.charge(FIELD + DERIVED * TreeSize.of(standard));
        return standard.deepCopy();
    }

    private static void fields(SchemaNode schema, ObjectNode object, RequestMemory memory) {
        for (Map.Entry<String, SchemaNode> field : schema.properties().entrySet()) {
            JsonNode standard = field.getValue().standard();
            JsonNode present = object.path(field.getKey());
            // A null that can't be one is as good as nothing where there is a default.
            boolean unsaid = present.isMissingNode()
                    || (present.isNull() && !field.getValue().nullable());
            if (unsaid && !standard.isMissingNode()) {
                object.set(field.getKey(), copy(standard, memory));
            }
            JsonNode now = object.path(field.getKey());
            if (now.isContainerNode()) {
                complete(field.getValue(), now, memory);
            }
        }
        SchemaNode others = schema.additional();
        if (others != null) {
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                if (!schema.properties().containsKey(field.getKey())) {
                    if (field.getValue().isNull()
                            && !others.nullable()
                            && !others.standard().isMissingNode()) {
                        field.setValue(copy(others.standard(), memory));
                    }
                    complete(others, field.getValue(), memory);
                }
            }
        }
    }
}
