package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the schema alone says is wrong with an object: a field that is missing, a text that is none of those allowed. Numbers and
 * flags are never missing: without them the field's zero is meant. What a server says of an object ({@code status}) is not looked at,
 * nor are the parts that every object has.
 */
final class SchemaCheck {
    private static final Set<String> LEFT_OUT = Set.of("metadata", "status");

    /** Fields that are required by their schemas and that clients of existing servers leave out nevertheless. */
    private static final Set<String> MAY_BE_ABSENT = Set.of(
            "EndpointSlice.endpoints",
            "ClusterRole.rules",
            "Role.rules",
            "Event.involvedObject",
            "CSINode.spec",
            "CSINode.spec.drivers",
            "LimitRange.spec.limits");

    private final String kind;
    private final Causes causes;

    private SchemaCheck(String kind, Causes causes) {
        this.kind = kind;
        this.causes = causes;
    }

    /**
     * Checks an object without what its rules say already.
     *
     * @param schema its schema, in which it is in shape
     */
    static void check(String kind, TypeSchema schema, ObjectNode object, Causes causes) {
        new SchemaCheck(kind, causes).fields(schema, object, "");
    }

    private void fields(TypeSchema schema, ObjectNode object, String path) {
        for (String name : schema.required()) {
            TypeSchema field = schema.fields().get(name);
            if (field != null
                    && missing(field, object.path(name))
                    && !mayBeAbsent(path, name)
                    && !causes.mentions(at(path, name))) {
                causes.required(at(path, name), "");
            }
        }
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (path.isEmpty() && LEFT_OUT.contains(field.getKey())) {
                continue;
            }
            Optional<TypeSchema> inner = schema.at(field.getKey());
            if (inner.isPresent()) {
                value(inner.get(), field.getValue(), at(path, field.getKey()));
            }
        }
    }

    private boolean mayBeAbsent(String path, String name) {
        return (path.isEmpty() && LEFT_OUT.contains(name)) || MAY_BE_ABSENT.contains(kind + "." + at(path, name));
    }

    private static boolean missing(TypeSchema schema, JsonNode value) {
        return switch (schema.form()) {
            case TEXT, QUANTITY -> value.asText("").isEmpty();
            case LIST -> value.isEmpty();
            case OBJECT -> value.isMissingNode() && !schema.required().isEmpty();
            case MAP, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, ANY -> false;
        };
    }

    private void value(TypeSchema schema, JsonNode value, String path) {
        switch (schema.form()) {
            case OBJECT -> {
                if (value instanceof ObjectNode object) {
                    fields(schema, object, path);
                }
            }
            case MAP -> {
                for (Map.Entry<String, JsonNode> item : value.properties()) {
                    value(schema.element(), item.getValue(), path + "[" + item.getKey() + "]");
                }
            }
            case LIST -> {
                if (schema.element().form() == TypeSchema.Form.TEXT && causes.mentions(path)) {
                    // The rules of some types say of the list what is wrong with its texts.
                    return;
                }
                for (int i = 0; i < value.size(); i++) {
                    value(schema.element(), value.path(i), path + "[" + i + "]");
                }
            }
            case TEXT -> {
                List<String> allowed = schema.allowed();
                if (!allowed.isEmpty()
                        && !value.asText().isEmpty()
                        && !allowed.contains(value.asText())
                        && !causes.mentions(path)) {
                    causes.notSupported(path, value.asText(), allowed);
                }
            }
            case INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, QUANTITY, ANY -> {}
        }
    }

    private static String at(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
