package io.plat.apiserver.openapi;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.CodedOutputStream;
import io.plat.apiserver.openapi.GnosticMessage.Field;
import io.plat.review.json.JsonFactories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;

/**
 * OpenAPI v2 document in the protobuf form of {@code openapi.v2.Document}, the only one in which kubectl and client-go read it.
 *
 * <p>The messages are data ({@code gnostic-fields.txt}); this class implements the rest: maps are lists of named values, unions have a
 * wrapper message, and extensions are YAML strings, of which JSON is a subset.
 */
final class GnosticEncoder {
    private static final JsonMapper MAPPER = new JsonMapper(JsonFactories.create());
    private static final Set<String> ONE_BY_ONE = Set.of("Paths", "Definitions");
    private static final int NAME = 1;
    private static final int VALUE = 2;
    private static final int YAML = 2;

    /** Most messages are short, and there are many. */
    private static final int BUFFER = 128;

    private GnosticEncoder() {}

    /** Returns the message of a document. */
    static byte[] encode(byte[] document) {
        try (JsonParser parser = MAPPER.createParser(document)) {
            parser.nextToken();
            return message(wire -> members(GnosticMessage.of("Document"), parser, wire));
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own document is JSON", e);
        }
    }

    /** Writes an object that is being read. Paths and schemas are read one at a time: the trees of all take ten times the memory. */
    private static void members(GnosticMessage message, JsonParser parser, CodedOutputStream wire) throws IOException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            Field field = message.field(name);
            if (field != null && ONE_BY_ONE.contains(field.type())) {
                wire.writeByteArray(
                        field.number(), message(own -> members(GnosticMessage.of(field.type()), parser, own)));
            } else {
                member(message, name, MAPPER.readTree(parser), wire);
            }
        }
    }

    /** Fields of a message, as they are written. */
    private interface Fields {
        void write(CodedOutputStream wire) throws IOException;
    }

    private static byte[] message(Fields fields) throws IOException {
        var bytes = new ByteArrayOutputStream();
        CodedOutputStream wire = CodedOutputStream.newInstance(bytes, BUFFER);
        fields.write(wire);
        wire.flush();
        return bytes.toByteArray();
    }

    private static byte[] message(String type, JsonNode value) throws IOException {
        GnosticMessage message = GnosticMessage.of(type);
        if (message.union()) {
            return message(wire -> union(type, value, wire));
        }
        Field list = message.list();
        return message(wire -> {
            if (list != null) {
                field(new Field(list.number(), list.type(), value.isArray()), value, wire);
                return;
            }
            for (Map.Entry<String, JsonNode> member : value.properties()) {
                member(message, member.getKey(), member.getValue(), wire);
            }
        });
    }

    private static void member(GnosticMessage message, String name, JsonNode value, CodedOutputStream wire)
            throws IOException {
        Field field = message.field(name);
        if (field != null) {
            field(field, value, wire);
        } else if (name.startsWith("x-") && message.extensions() > 0) {
            wire.writeByteArray(message.extensions(), named(name, any(value)));
        } else if (message.map() != null) {
            wire.writeByteArray(
                    message.map().number(), named(name, message(message.map().type(), value)));
        } else {
            throw new IllegalArgumentException("no field " + name + " in " + message.name());
        }
    }

    /** Writes a union, which has a field for each alternative. */
    private static void union(String type, JsonNode value, CodedOutputStream wire) throws IOException {
        String in = value.path("in").asText();
        switch (type) {
            case "ParametersItem" -> wire.writeByteArray(1, message("Parameter", value));
            case "Parameter" -> {
                boolean body = in.equals("body");
                wire.writeByteArray(body ? 1 : 2, message(body ? "BodyParameter" : "NonBodyParameter", value));
            }
            case "NonBodyParameter" -> {
                boolean query = in.equals("query");
                wire.writeByteArray(query ? 3 : 4, message(query ? "QueryParameter" : "PathParameter", value));
            }
            case "AdditionalPropertiesItem" -> {
                if (value.isBoolean()) {
                    wire.writeBool(2, value.booleanValue());
                } else {
                    wire.writeByteArray(1, message("Schema", value));
                }
            }
            case "ResponseValue" -> wire.writeByteArray(1, message("Response", value));
            case "SchemaItem" -> wire.writeByteArray(1, message("Schema", value));
            default -> throw new IllegalArgumentException("not a union: " + type);
        }
    }

    private static void field(Field field, JsonNode value, CodedOutputStream wire) throws IOException {
        if (field.repeated()) {
            for (JsonNode element : value) {
                one(field, element, wire);
            }
        } else {
            one(field, value, wire);
        }
    }

    private static void one(Field field, JsonNode value, CodedOutputStream wire) throws IOException {
        switch (field.type()) {
            case "string" -> wire.writeString(field.number(), value.asText());
            case "bool" -> wire.writeBool(field.number(), value.asBoolean());
            case "int64" -> wire.writeInt64(field.number(), value.asLong());
            case "double" -> wire.writeDouble(field.number(), value.asDouble());
            case "any" -> wire.writeByteArray(field.number(), any(value));
            default -> wire.writeByteArray(field.number(), message(field.type(), value));
        }
    }

    private static byte[] named(String name, byte[] value) throws IOException {
        return message(wire -> {
            wire.writeString(NAME, name);
            wire.writeByteArray(VALUE, value);
        });
    }

    private static byte[] any(JsonNode value) throws IOException {
        return message(wire -> wire.writeString(YAML, value + "\n"));
    }
}
