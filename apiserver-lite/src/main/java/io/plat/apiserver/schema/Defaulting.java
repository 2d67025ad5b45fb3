package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fills in the {@code default}s of a schema, in place, from the outside inwards: what was filled in is completed too. */
public final class Defaulting {
    /** The bytes of a field that is filled in, for the object and for the owners of its fields, which have it too. */
    private static final int FIELD = 400;

    /** The copies of a value that is filled in, as of one that was sent. */
    private static final int DERIVED = 3;

    private final RequestMemory memory = RequestMemory.current();

    private Defaulting() {}

    /** Returns whether a schema has any. It must not refer to itself. */
    public static boolean any(TypeSchema schema) {
        return schema.any(one -> !one.defaultValue().isMissingNode());
    }

    /** Completes a value. */
    public static void complete(TypeSchema schema, JsonNode value) {
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
            @Nullable TypeSchema held = schema.of(field.getKey());
            if (held != null
                    && isUnset(held, field.getValue())
                    && !held.defaultValue().isMissingNode()) {
                field.setValue(copy(held.defaultValue()));
            }
            if (held != null && field.getValue().isContainerNode()) {
                value(held, field.getValue());
            }
        }
    }

    /** A null that can't be one is as good as nothing where there is a default. */
    private static boolean isUnset(@Nullable TypeSchema schema, JsonNode value) {
        return value.isNull() && (schema == null || !schema.nullable());
    }

    /** A copy of a default; a small one among many objects is a large one. */
    private JsonNode copy(JsonNode defaultValue) {
        memory.charge(FIELD + DERIVED * TreeSize.of(defaultValue));
        return defaultValue.deepCopy();
    }
}
