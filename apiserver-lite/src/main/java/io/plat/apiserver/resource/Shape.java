package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.plat.apiserver.patch.JsonKind;
import io.plat.review.ApiGroups;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Brings an object into the shape of its type: fields that the type does not have are taken out and named, what says nothing (null,
 * an empty list or map, an empty optional text) is left out, and a value of the wrong type is refused. Afterwards every field
 * that is there has the type that the schema gives it.
 */
final class Shape {
    /** What the specification's version has beside the version that is stored: the earlier forms. */
    private static final Set<String> EARLIER =
            Set.of("subjects[].apiVersion", "roleRef.apiVersion", "roleRef.namespace");

    /** How many unknown fields are told, as in the field: whoever has more knows what is wrong. */
    private static final int MOST_UNKNOWN = 100;

    private final ResourceType type;
    private final Schemas schemas;
    private final List<String> unknown = new ArrayList<>();

    private Shape(ResourceType type, Schemas schemas) {
        this.type = type;
        this.schemas = schemas;
    }

    /**
     * Shapes an object in place.
     *
     * @return the unknown fields that were taken out, by path
     * @throws StatusException 400 if a value has the wrong type
     */
    static List<String> apply(ResourceType type, Schemas schemas, ObjectNode object) throws StatusException {
        var shape = new Shape(type, schemas);
        shape.fields(schemas.of(type), object, "", "");
        return shape.unknown;
    }

    private void fields(JsonNode schema, ObjectNode object, String path, String pattern) throws StatusException {
        JsonNode properties = schema.path("properties");
        for (String name : fieldNames(object)) {
            String at = path.isEmpty() ? name : path + "." + name;
            String like = pattern.isEmpty() ? name : pattern + "." + name;
            JsonNode property = properties.path(name);
            JsonNode value = object.path(name);
            if (property.isMissingNode() && !earlierForm(like, value)) {
                if (unknown.size() < MOST_UNKNOWN) {
                    unknown.add(at);
                }
                object.remove(name);
            } else if (value.isNull()) {
                object.remove(name);
            } else if (!property.isMissingNode()) {
                JsonNode shaped = value(property, value, at, like);
                if (saysNothing(schemas.resolve(property), shaped)
                        && !MetadataRules.texts(schema.path("required")).contains(name)
                        && !like.equals("rules")) {
                    object.remove(name);
                } else {
                    object.set(name, shaped);
                }
            }
        }
    }

    private static List<String> fieldNames(ObjectNode object) {
        var names = new ArrayList<String>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private boolean earlierForm(String pattern, JsonNode value) {
        return type.group().equals(ApiGroups.RBAC_PLAT)
                && type.kind().endsWith("Binding")
                && EARLIER.contains(pattern)
                && (value.isTextual() || value.isNull());
    }

    private static boolean saysNothing(JsonNode schema, JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> value.isEmpty();
            case OBJECT -> value.isEmpty() && schema.has("additionalProperties");
            case STRING -> value.asText().isEmpty();
            case BINARY, BOOLEAN, MISSING, NULL, NUMBER, POJO -> false;
        };
    }

    private JsonNode value(JsonNode declared, JsonNode value, String path, String pattern) throws StatusException {
        if (Schemas.isQuantity(declared) && value.isNumber()) {
            return TextNode.valueOf(value.asText());
        }
        if (Schemas.isQuantity(declared) && value.isTextual()) {
            Formats.checkQuantity(type, value.asText());
        }
        JsonNode schema = schemas.resolve(declared);
        return switch (Json.text(schema, "type")) {
            case "object" -> object(schema, value, path, pattern);
            case "array" -> array(schema, value, path, pattern);
            case "string" -> text(schema, value, path);
            case "integer" -> integer(schema, value, path);
            case "number" -> require(value.isNumber(), value, path, "float64");
            case "boolean" -> require(value.isBoolean(), value, path, "bool");
            default -> value;
        };
    }

    private JsonNode object(JsonNode schema, JsonNode value, String path, String pattern) throws StatusException {
        if (!(value instanceof ObjectNode object)) {
            throw wrongType(value, path, schema.has("additionalProperties") ? "map" : "object");
        }
        JsonNode element = schema.path("additionalProperties");
        if (!element.isMissingNode()) {
            boolean texts = Json.text(schemas.resolve(element), "type").equals("string");
            for (String name : fieldNames(object)) {
                JsonNode item = object.path(name);
                object.set(
                        name,
                        item.isNull() && texts
                                ? TextNode.valueOf("")
                                : value(element, item, path + "." + name, pattern + ".*"));
            }
        } else if (schema.has("properties")) {
            fields(schema, object, path, pattern);
        }
        return object;
    }

    private JsonNode array(JsonNode schema, JsonNode value, String path, String pattern) throws StatusException {
        if (!(value instanceof ArrayNode array)) {
            throw wrongType(value, path, "array");
        }
        JsonNode element = schema.path("items");
        for (int i = 0; i < array.size(); i++) {
            array.set(i, value(element, array.get(i), path + "[" + i + "]", pattern + "[]"));
        }
        return array;
    }

    private JsonNode text(JsonNode schema, JsonNode value, String path) throws StatusException {
        String format = Json.text(schema, "format");
        if (format.equals("int-or-string")) {
            return require(value.isTextual() || value.isInt(), value, path, "intstr.IntOrString");
        }
        require(value.isTextual(), value, path, "string");
        Formats.check(type, format, value.asText());
        return value;
    }

    private JsonNode integer(JsonNode schema, JsonNode value, String path) throws StatusException {
        boolean small = Json.text(schema, "format").equals("int32");
        boolean fits = small ? value.canConvertToInt() : value.canConvertToLong();
        return require(value.isIntegralNumber() && fits, value, path, small ? "int32" : "int64");
    }

    private JsonNode require(boolean holds, JsonNode value, String path, String expected) throws StatusException {
        if (!holds) {
            throw wrongType(value, path, expected);
        }
        return value;
    }

    private StatusException wrongType(JsonNode value, String path, String expected) {
        return cannotBeHandled(
                type,
                "json: cannot unmarshal " + JsonKind.of(value) + " into Go struct field " + type.kind() + "." + path
                        + " of type " + expected);
    }

    /** A body that can't be read as an object of its type. */
    static StatusException cannotBeHandled(ResourceType type, String why) {
        return Refusals.badRequest(type.kind() + " in version \"" + type.version() + "\" cannot be handled as a "
                + type.kind() + ": " + why);
    }

    /** Why fields that the type does not have are refused. */
    static String strict(List<String> warnings) {
        return "strict decoding error: " + String.join(", ", warnings);
    }

    /** A line for each unknown field. */
    static List<String> warnings(List<String> unknown) {
        return unknown.stream()
                .map(path -> "unknown field " + Causes.quoted(path))
                .toList();
    }
}
