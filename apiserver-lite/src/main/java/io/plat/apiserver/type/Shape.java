package io.plat.apiserver.type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.tree.Json;
import io.plat.cel.text.Quantity;
import io.plat.review.ApiGroups;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Normalization of objects by the schema of their type: unknown fields are removed and reported, empty values (null, empty lists, maps and
 * optional strings, zeros of fields that are not pointers in Kubernetes) are omitted, and values of the wrong type are rejected. Afterwards
 * every present field has the type of its schema.
 */
public final class Shape {
    /** Fields of the specification's version that the stored version lacks: the earlier forms. */
    private static final Set<String> EARLIER =
            Set.of("subjects[].apiVersion", "roleRef.apiVersion", "roleRef.namespace");

    /** Maximum number of reported unknown fields, as in Kubernetes. */
    private static final int MAX_UNKNOWN = 100;

    private final ResourceType type;
    private final boolean keepsEmpty;
    private final List<String> unknown = new ArrayList<>();

    private Shape(ResourceType type, boolean keepsEmpty) {
        this.type = type;
        this.keepsEmpty = keepsEmpty;
    }

    /**
     * Normalizes an object in place.
     *
     * @return paths of the removed unknown fields
     * @throws StatusException 400 if a value has the wrong type
     */
    public static List<String> apply(ResourceType type, ObjectNode object) throws StatusException {
        return apply(type, type.schema(), object);
    }

    /** Normalizes an object by another schema, that of the stored version. */
    public static List<String> apply(ResourceType type, TypeSchema schema, ObjectNode object) throws StatusException {
        return shape(new Shape(type, false), schema, object);
    }

    /** Normalizes an applied configuration, whose empty values are owned too. */
    public static List<String> applied(ResourceType type, ObjectNode object) throws StatusException {
        return shape(new Shape(type, true), type.schema(), object);
    }

    private static List<String> shape(Shape shape, TypeSchema schema, ObjectNode object) throws StatusException {
        shape.fields(schema, object, FieldPath.ROOT);
        return shape.unknown;
    }

    /** Normalizes an object that has only metadata, which is the same for every type. */
    public static List<String> metadata(ResourceType type, ObjectNode object) throws StatusException {
        return apply(type, Schemas.builtIn().withMetadata(), object);
    }

    /** Normalizes the metadata of an object within a custom object, and returns the paths of the removed fields. */
    public static List<String> embedded(ResourceType type, JsonNode metadata, FieldPath at) throws StatusException {
        String sent = FieldErrorMessages.shown(metadata);
        try {
            List<String> unknown = metadata(type, Json.object().set("metadata", metadata));
            return unknown.stream().map(name -> at + "." + name).toList();
        } catch (StatusException e) {
            String reason = withoutType(type, e.status().message()).replace(type.kind() + ".metadata.", "ObjectMeta.");
            throw cannotBeHandled(type, at + ".metadata: " + FieldErrorMessages.invalid(sent, reason));
        }
    }

    private void fields(TypeSchema schema, ObjectNode object, FieldPath path) throws StatusException {
        for (Iterator<Map.Entry<String, JsonNode>> fields = object.properties().iterator(); fields.hasNext(); ) {
            Map.Entry<String, JsonNode> entry = fields.next();
            String name = entry.getKey();
            JsonNode value = entry.getValue();
            FieldPath at = path.field(name);
            Optional<TypeSchema> field = schema.at(name);
            if (field.isEmpty() && !earlierForm(at, value)) {
                if (unknown.size() < MAX_UNKNOWN) {
                    unknown.add(at.toString());
                }
                fields.remove();
            } else if (value.isNull() && !schema.keepsUnknown()) {
                if (!keepsEmpty) {
                    fields.remove();
                }
            } else if (field.isPresent()) {
                JsonNode shaped = value(field.get(), value, at);
                if (!keepsEmpty
                        && isEmptyValue(field.get(), shaped)
                        && !schema.required().contains(name)
                        && !mayBeEmpty(path, name)) {
                    fields.remove();
                } else {
                    entry.setValue(shaped);
                }
            }
        }
    }

    private boolean earlierForm(FieldPath path, JsonNode value) {
        return type.group().equals(ApiGroups.RBAC_PLAT)
                && type.kind().endsWith("Binding")
                && (value.isTextual() || value.isNull())
                && EARLIER.contains(path.pattern());
    }

    /** Adds the fields of a built-in type that are always present; lists have no such value. */
    public static void fill(ResourceType type, ObjectNode object) {
        if (type.form() == null) {
            fill(type.schema(), object, TypeTraits.of(type).empty());
        }
    }

    private static void fill(TypeSchema schema, ObjectNode object, JsonNode empty) {
        for (Map.Entry<String, JsonNode> field : empty.properties()) {
            JsonNode value = field.getValue();
            Optional<TypeSchema> of = schema.at(field.getKey());
            if (of.isPresent() && !value.isArray()) {
                JsonNode present = object.path(field.getKey());
                if (present.isMissingNode() && !value.isObject()) {
                    object.set(field.getKey(), value);
                } else if (present instanceof ObjectNode || present.isMissingNode()) {
                    fill(of.get(), Json.child(object, field.getKey()), value);
                }
            }
        }
    }

    /** Returns whether an empty list differs from an absent one: a new object has null there. */
    private boolean mayBeEmpty(FieldPath path, String name) {
        JsonNode parent = TypeTraits.of(type.storage()).empty();
        for (String step : path.isRoot() ? new String[0] : path.toString().split("\\.", -1)) {
            parent = parent.path(step);
        }
        return parent.path(name).isNull();
    }

    private static boolean isEmptyValue(TypeSchema schema, JsonNode value) {
        return switch (schema.form()) {
            case LIST, MAP -> value.isEmpty();
            case TEXT, QUANTITY, INT_OR_STRING ->
                value.isTextual() && value.asText().isEmpty() && !schema.nullable();
            case INTEGER, NUMBER, BOOLEAN ->
                value.asDouble() == 0 && schema.json().path("nullable").isBoolean();
            case OBJECT, ANY -> false;
        };
    }

    private JsonNode value(TypeSchema schema, JsonNode value, FieldPath path) throws StatusException {
        return switch (schema.form()) {
            case OBJECT -> object(schema, value, path);
            case MAP -> map(schema, value, path);
            case LIST -> array(schema, value, path);
            case TEXT -> text(schema, value, path);
            case INT_OR_STRING -> require(value.isTextual() || value.isInt(), value, path, "intstr.IntOrString");
            case QUANTITY -> quantity(value);
            case INTEGER -> integer(schema, value, path);
            case NUMBER -> require(value.isNumber(), value, path, "float64");
            case BOOLEAN -> require(value.isBoolean(), value, path, "bool");
            case ANY -> value;
        };
    }

    private JsonNode object(TypeSchema schema, JsonNode value, FieldPath path) throws StatusException {
        if (!(value instanceof ObjectNode object)) {
            throw wrongType(value, path, "object");
        }
        if (!schema.keepsUnknown() || !schema.fields().isEmpty()) {
            fields(schema, object, path);
        }
        return object;
    }

    private JsonNode map(TypeSchema schema, JsonNode value, FieldPath path) throws StatusException {
        if (!(value instanceof ObjectNode object)) {
            throw wrongType(value, path, ofTexts(schema) ? "map[string]string" : "map");
        }
        TypeSchema element = schema.element();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            entry.setValue(element(element, entry.getValue(), path.field(entry.getKey())));
        }
        return object;
    }

    private JsonNode array(TypeSchema schema, JsonNode value, FieldPath path) throws StatusException {
        if (!(value instanceof ArrayNode array)) {
            throw wrongType(value, path, ofTexts(schema) ? "[]string" : "array");
        }
        TypeSchema element = schema.element();
        for (int i = 0; i < array.size(); i++) {
            array.set(i, element(element, array.get(i), path.at(i)));
        }
        return array;
    }

    private static boolean ofTexts(TypeSchema schema) {
        return schema.element().form() == TypeSchema.Form.TEXT;
    }

    /** Returns the zero value for a null in a list or map. */
    private JsonNode element(TypeSchema schema, JsonNode value, FieldPath path) throws StatusException {
        return value(schema, value.isNull() ? zero(schema, value) : value, path);
    }

    private static JsonNode zero(TypeSchema schema, JsonNode none) {
        return switch (schema.form()) {
            case OBJECT, MAP -> Json.object();
            case LIST -> Json.MAPPER.createArrayNode();
            case TEXT -> schema.format().equals("date-time") ? none : TextNode.valueOf("");
            case QUANTITY -> TextNode.valueOf("0");
            case INT_OR_STRING, INTEGER, NUMBER -> IntNode.valueOf(0);
            case BOOLEAN -> BooleanNode.FALSE;
            case ANY -> none;
        };
    }

    private JsonNode quantity(JsonNode value) throws StatusException {
        String text =
                value.isContainerNode() ? value.toString() : value.asText().strip();
        StringFormats.checkQuantity(type, text);
        String canonical = Quantity.canonical(text);
        return canonical.equals(value.textValue()) ? value : TextNode.valueOf(canonical);
    }

    private JsonNode text(TypeSchema schema, JsonNode value, FieldPath path) throws StatusException {
        require(value.isTextual(), value, path, "string");
        StringFormats.check(type, schema, value.asText());
        return value;
    }

    private JsonNode integer(TypeSchema schema, JsonNode value, FieldPath path) throws StatusException {
        boolean small = schema.format().equals("int32");
        boolean fits = small ? value.canConvertToInt() : value.canConvertToLong();
        return require(value.isIntegralNumber() && fits, value, path, small ? "int32" : "int64");
    }

    private JsonNode require(boolean holds, JsonNode value, FieldPath path, String expected) throws StatusException {
        if (!holds) {
            throw wrongType(value, path, expected);
        }
        return value;
    }

    private StatusException wrongType(JsonNode value, FieldPath path, String expected) {
        return cannotBeHandled(
                type,
                Json.cannotUnmarshal(value, "Go struct field " + type.kind() + "." + path + " of type " + expected));
    }

    public static StatusException cannotBeHandled(ResourceType type, String reason) {
        return ApiErrors.badRequest(cannotBeHandled(type) + reason);
    }

    private static String cannotBeHandled(ResourceType type) {
        return type.kind() + " in version \"" + type.version() + "\" cannot be handled as a " + type.kind() + ": ";
    }

    /** Returns the reason of such a failure without its prefix that names the type, for patches. */
    public static String withoutType(ResourceType type, String message) {
        String beginning = cannotBeHandled(type);
        return message.startsWith(beginning) ? message.substring(beginning.length()) : message;
    }

    public static String strict(List<String> warnings) {
        return "strict decoding error: " + String.join(", ", warnings);
    }

    public static List<String> warnings(List<String> unknown) {
        return unknown.stream().map(Shape::warning).toList();
    }

    public static String warning(String unknown) {
        return "unknown field " + FieldErrorMessages.quoted(unknown);
    }
}
