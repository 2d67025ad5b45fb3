package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.schema.TypeSchema;
import java.util.Map;
import java.util.Optional;

/** Fills in what a client left unsaid and the schema says: the values that clients of existing servers rely on. */
final class Standards {
    /** The field of a value that is filled in, for the object and for the owners of its fields, which have it too. */
    private static final int FIELD = 400;

    /** The copies of a value that is filled in, as of one that was sent. */
    private static final int DERIVED = 3;

    private Standards() {}

    /** Fills in an object and all that is in it; it has its schema's shape. */
    static void fill(TypeSchema schema, ObjectNode object) {
        fill(schema, object, RequestMemory.current());
    }

    private static void fill(TypeSchema schema, ObjectNode object, RequestMemory memory) {
        for (Map.Entry<String, JsonNode> standard : schema.standards().entrySet()) {
            if (!object.has(standard.getKey())) {
                memory.charge(FIELD + DERIVED * TreeSize.of(standard.getValue()));
                object.set(standard.getKey(), standard.getValue().deepCopy());
            }
        }
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (field.getValue().isContainerNode()) {
                Optional<TypeSchema> inner = schema.at(field.getKey());
                if (inner.isPresent()) {
                    value(inner.get(), field.getValue(), memory);
                }
            }
        }
    }

    private static void value(TypeSchema schema, JsonNode value, RequestMemory memory) {
        switch (schema.form()) {
            case OBJECT -> {
                if (value instanceof ObjectNode object) {
                    fill(schema, object, memory);
                }
            }
            case MAP, LIST -> {
                TypeSchema element = schema.element();
                for (JsonNode item : value) {
                    if (item.isContainerNode()) {
                        value(element, item, memory);
                    }
                }
            }
            case TEXT, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, QUANTITY, ANY -> {}
        }
    }
}
