package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Applies the {@code default}s of a schema, in place, from the outside inwards: added values are completed too. */
public final class Defaulting {
    /** Memory of an added field, in bytes, for the object and its field ownership. */
    private static final int FIELD = 400;

    /** Number of additional copies of an added value, as for sent values. */
    private static final int DERIVED = 3;

    private final RequestMemory memory = RequestMemory.current();

    private Defaulting() {}

    /** Returns whether a schema has defaults. It must not be recursive. */
    public static boolean any(TypeSchema schema) {
        return schema.any(one -> !one.defaultValue().isMissingNode());
    }

    public static void apply(TypeSchema schema, JsonNode value) {
        new Defaulting().value(schema, value);
    }

    private void value(TypeSchema schema, JsonNode value) {
        if (value instanceof ObjectNode object) {
            fields(schema, object);
        } else if (value.isArray()) {
            @Nullable TypeSchema items = schema.items();
            for (JsonNode element : value) {
                if (items != null && element.isContainerNode()) {
                    value(items, element);
                }
            }
        }
    }

    private void fields(TypeSchema schema, ObjectNode object) {
        for (Map.Entry<String, JsonNode> field : schema.defaults().entrySet()) {
            JsonNode present = object.path(field.getKey());
            if (present.isMissingNode() || isUnset(schema.properties().get(field.getKey()), present)) {
                object.set(field.getKey(), copy(field.getValue()));
            }
        }
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            @Nullable TypeSchema fieldSchema = schema.of(field.getKey());
            if (fieldSchema != null
                    && isUnset(fieldSchema, field.getValue())
                    && !fieldSchema.defaultValue().isMissingNode()) {
                field.setValue(copy(fieldSchema.defaultValue()));
            }
            if (fieldSchema != null && field.getValue().isContainerNode()) {
                value(fieldSchema, field.getValue());
            }
        }
    }

    /** Returns whether a field is absent, or a null that its schema does not allow. */
    private static boolean isUnset(@Nullable TypeSchema schema, JsonNode value) {
        return value.isNull() && (schema == null || !schema.nullable());
    }

    /** Copies a default and charges it: a small default in many objects is large. */
    private JsonNode copy(JsonNode defaultValue) {
        memory.charge(FIELD + DERIVED * TreeSize.of(defaultValue));
        return defaultValue.deepCopy();
    }
}
