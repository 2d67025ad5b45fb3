package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.openapi.GnosticMessage.Field;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * A document of OpenAPI v2 in the binary form of {@code openapi.v2.Document}, the only one in which kubectl and client-go read it.
 *
 * <p>The messages are data ({@code gnostic-fields.txt}); what no table says is here: maps are lists of names with values, a union has
 * a message of its own around it, and extensions are texts in YAML, of which JSON is a part.
 */
final class GnosticForm {
    private static final JsonMapper MAPPER = new JsonMapper(JsonFactories.create());
    private static final int NAME = 1;
    private static final int VALUE = 2;
    private static final int YAML = 2;

    private GnosticForm() {}

    /**
     * The message of a document.
     *
     * @param document as JSON
     */
    static byte[] encode(byte[] document) {
        try {
            return message("Document", MAPPER.readTree(document)).bytes();
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own document is JSON", e);
        }
    }

    private static WireText message(String type, JsonNode value) {
        GnosticMessage message = GnosticMessage.of(type);
        var wire = new WireText();
        if (message.union()) {
            union(type, value, wire);
            return wire;
        }
        if (message.list() != null) {
            elements(message.list(), value, wire);
            return wire;
        }
        for (Map.Entry<String, JsonNode> member : value.properties()) {
            String name = member.getKey();
            Field field = message.field(name);
            if (field != null) {
                field(field, member.getValue(), wire);
            } else if (name.startsWith("x-") && message.extensions() > 0) {
                wire.message(message.extensions(), named(name, any(member.getValue())));
            } else if (message.map() != null) {
                wire.message(
                        message.map().number(),
                        named(name, message(message.map().type(), member.getValue())));
            } else {
                throw new IllegalArgumentException("no field " + name + " in " + type);
            }
        }
        return wire;
    }

    /** What may be one of several things has a field for each. */
    private static void union(String type, JsonNode value, WireText wire) {
        switch (type) {
            case "ParametersItem" -> wire.message(1, message("Parameter", value));
            case "Parameter" -> {
                boolean body = value.path("in").asText().equals("body");
                wire.message(body ? 1 : 2, message(body ? "BodyParameter" : "NonBodyParameter", value));
            }
            case "NonBodyParameter" -> {
                boolean query = value.path("in").asText().equals("query");
                wire.message(query ? 3 : 4, message(query ? "QueryParameter" : "PathParameter", value));
            }
            case "AdditionalPropertiesItem" -> {
                if (value.isBoolean()) {
                    wire.flag(2, value.booleanValue());
                } else {
                    wire.message(1, message("Schema", value));
                }
            }
            case "ResponseValue" -> wire.message(1, message("Response", value));
            case "SchemaItem" -> wire.message(1, message("Schema", value));
            default -> throw new IllegalArgumentException("not a union: " + type);
        }
    }

    private static void elements(Field field, JsonNode value, WireText wire) {
        if (value.isArray()) {
            value.forEach(element -> one(field, element, wire));
        } else {
            one(field, value, wire);
        }
    }

    private static void field(Field field, JsonNode value, WireText wire) {
        if (field.repeated()) {
            value.forEach(element -> one(field, element, wire));
        } else {
            one(field, value, wire);
        }
    }

    private static void one(Field field, JsonNode value, WireText wire) {
        switch (field.type()) {
            case "string" -> wire.text(field.number(), value.asText());
            case "bool" -> wire.flag(field.number(), value.asBoolean());
            case "int64" -> wire.whole(field.number(), value.asLong());
            case "double" -> wire.number(field.number(), value.asDouble());
            case "any" -> wire.message(field.number(), any(value));
            default -> wire.message(field.number(), message(field.type(), value));
        }
    }

    private static WireText named(String name, WireText value) {
        var wire = new WireText();
        wire.text(NAME, name);
        wire.message(VALUE, value);
        return wire;
    }

    private static WireText any(JsonNode value) {
        var wire = new WireText();
        wire.text(YAML, value.toString() + "\n");
        return wire;
    }
}
