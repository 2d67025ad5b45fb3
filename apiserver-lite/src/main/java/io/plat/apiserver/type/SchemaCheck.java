package io.plat.apiserver.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Validation of required fields and enumerations by the schema alone. Numbers and booleans are never required: absent ones are zero.
 * {@code status} and the common fields are exempt.
 */
public record SchemaCheck(String kind, Causes causes) {
    private static final Set<String> EXEMPT = Set.of("metadata", "status");

    /** Fields that Kubernetes clients omit although their schemas require them. */
    private static final Set<String> OPTIONAL = Set.of(
            "EndpointSlice.endpoints",
            "ClusterRole.rules",
            "Role.rules",
            "Event.involvedObject",
            "CSINode.spec",
            "CSINode.spec.drivers",
            "LimitRange.spec.limits",
            "VolumeAttachment.spec");

    /**
     * Checks an object, except for problems that its rules have reported.
     *
     * @param schema its schema, which it matches in shape
     */
    public static void check(String kind, TypeSchema schema, ObjectNode object, Causes causes) {
        new SchemaCheck(kind, causes).fields(schema, object, FieldPath.ROOT);
    }

    private void fields(TypeSchema schema, ObjectNode object, FieldPath path) {
        for (String name : schema.required()) {
            TypeSchema field = schema.fields().get(name);
            if (field != null && missing(field, object.path(name))) {
                required(path, name);
            }
        }
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            String name = field.getKey();
            if (!path.isRoot() || !EXEMPT.contains(name)) {
                schema.at(name).ifPresent(inner -> value(inner, field.getValue(), path.field(name)));
            }
        }
    }

    private void required(FieldPath path, String name) {
        String at = path.field(name).toString();
        boolean optional = (path.isRoot() && EXEMPT.contains(name)) || OPTIONAL.contains(kind + "." + at);
        // Structures are always present in kube-apiserver, which reports their members instead.
        if (!optional && !causes.mentions(at) && !causes.mentionsBelow(at)) {
            causes.field(at, "").required("");
        }
    }

    private static boolean missing(TypeSchema schema, JsonNode value) {
        return switch (schema.form()) {
            case TEXT, QUANTITY -> value.asText("").isEmpty();
            case LIST -> value.isEmpty();
            case OBJECT -> value.isMissingNode() && !schema.required().isEmpty();
            case MAP, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, ANY -> false;
        };
    }

    private void value(TypeSchema schema, JsonNode value, FieldPath path) {
        switch (schema.form()) {
            case OBJECT -> {
                // The contents of forbidden fields are not checked.
                if (value instanceof ObjectNode object
                        && !(isReported(path) && path.toString().indexOf('.') > 0)) {
                    fields(schema, object, path);
                }
            }
            case MAP -> {
                for (Map.Entry<String, JsonNode> item : value.properties()) {
                    value(schema.element(), item.getValue(), path.key(item.getKey()));
                }
            }
            case LIST -> list(schema.element(), value, path);
            case TEXT -> text(schema, value, path);
            case INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, QUANTITY, ANY -> {}
        }
    }

    private boolean isReported(FieldPath path) {
        return !causes.isEmpty() && causes.mentions(path.toString());
    }

    private void list(TypeSchema element, JsonNode list, FieldPath path) {
        if (element.form() == TypeSchema.Form.TEXT && isReported(path)) {
            // The rules of some types report the problems of the list's strings.
            return;
        }
        for (int i = 0; i < list.size(); i++) {
            value(element, list.path(i), path.at(i));
        }
    }

    private void text(TypeSchema schema, JsonNode value, FieldPath path) {
        List<String> allowed = schema.allowed();
        boolean absent = value.asText().isEmpty() && !schema.nullable();
        if (allowed.isEmpty() || absent || allowed.contains(value.asText())) {
            return;
        }
        String at = path.toString();
        if (!causes.mentions(at)) {
            causes.field(at, value.asText()).notSupported(allowed);
        }
    }
}
