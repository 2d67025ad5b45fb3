package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.Map;
import java.util.Optional;

/** Fills in what a client left unsaid and the schema says: the values that clients of existing servers rely on. */
final class Standards {
    private Standards() {}

    /** Fills in an object and all that is in it; it has its schema's shape. */
    static void fill(TypeSchema schema, ObjectNode object) {
        schema.standards().forEach((name, value) -> {
            if (!object.has(name)) {
                object.set(name, value.deepCopy());
            }
        });
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (field.getValue().isContainerNode()) {
                Optional<TypeSchema> inner = schema.at(field.getKey());
                if (inner.isPresent()) {
                    value(inner.get(), field.getValue());
                }
            }
        }
    }

    private static void value(TypeSchema schema, JsonNode value) {
        switch (schema.form()) {
            case OBJECT -> {
                if (value instanceof ObjectNode object) {
                    fill(schema, object);
                }
            }
            case MAP, LIST -> {
                TypeSchema element = schema.element();
                for (JsonNode item : value) {
                    if (item.isContainerNode()) {
                        value(element, item);
                    }
                }
            }
            case TEXT, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, QUANTITY, ANY -> {}
        }
    }
}
