package io.plat.apiserver.openapi;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.CodedOutputStream;
import io.plat.apiserver.tree.ProgramData;
import io.plat.engine.lookup.Frozen;
import io.plat.review.json.JsonFactories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
            return message(wire -> members(Message.of("Document"), parser, wire));
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own document is JSON", e);
        }
    }

    /** Writes an object that is being read. Paths and schemas are read one at a time: the trees of all take ten times the memory. */
    private static void members(Message message, JsonParser parser, CodedOutputStream wire) throws IOException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            Message.Field field = message.field(name);
            if (field != null && ONE_BY_ONE.contains(field.type())) {
                wire.writeByteArray(field.number(), message(own -> members(Message.of(field.type()), parser, own)));
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
        Message message = Message.of(type);
        if (message.union()) {
            return message(wire -> union(type, value, wire));
        }
        Message.Field list = message.list();
        return message(wire -> {
            if (list != null) {
                field(new Message.Field(list.number(), list.type(), value.isArray()), value, wire);
                return;
            }
            for (Map.Entry<String, JsonNode> member : value.properties()) {
                member(message, member.getKey(), member.getValue(), wire);
            }
        });
    }

    private static void member(Message message, String name, JsonNode value, CodedOutputStream wire)
            throws IOException {
        Message.Field field = message.field(name);
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

    private static void field(Message.Field field, JsonNode value, CodedOutputStream wire) throws IOException {
        if (field.repeated()) {
            for (JsonNode element : value) {
                one(field, element, wire);
            }
        } else {
            one(field, value, wire);
        }
    }

    private static void one(Message.Field field, JsonNode value, CodedOutputStream wire) throws IOException {
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

    /**
     * Message of the protobuf form of OpenAPI v2, from {@code gnostic-fields.txt}.
     *
     * @param union whether it is a wrapper of alternatives
     * @param fields fields by JSON name
     * @param map field for each entry, if the JSON object is a map
     * @param list field for each element, if the JSON form is a list or a single element
     * @param extensions number of the field for {@code x-} extensions; 0 if there is none
     */
    private record Message(
            String name,
            boolean union,
            Map<String, Field> fields,
            @Nullable Field map,
            @Nullable Field list,
            int extensions) {

        /**
         * A field.
         *
         * @param type {@code string}, {@code bool}, {@code int64}, {@code double}, {@code any} or the name of a message
         */
        record Field(int number, String type, boolean repeated) {}

        private static final Map<String, Message> BY_NAME = read();

        Message {
            fields = Frozen.copyOf(fields);
        }

        static Message of(String name) {
            return Objects.requireNonNull(BY_NAME.get(name), name);
        }

        /** Returns the field of a JSON name, null if there is none. */
        @Nullable
        Field field(String member) {
            return fields.get(member);
        }

        private static Map<String, Message> read() {
            Map<String, Message> messages = new HashMap<>();
            ProgramData.lines(Message.class, "gnostic-fields.txt")
                    .map(Message::parse)
                    .forEach(message -> messages.put(message.name(), message));
            return Frozen.copyOf(messages);
        }

        private static Message parse(String line) {
            String[] words = line.strip().split(" +", -1);
            Map<String, Field> fields = new HashMap<>();
            boolean union = false;
            @Nullable Field map = null;
            @Nullable Field list = null;
            int extensions = 0;
            for (int i = 1; i < words.length; i++) {
                if (words[i].equals("union")) {
                    union = true;
                    continue;
                }
                String[] parts = words[i].split("[=:]", -1);
                boolean repeated = parts[2].endsWith("*");
                Field field = new Field(
                        Integer.parseInt(parts[1]),
                        repeated ? parts[2].substring(0, parts[2].length() - 1) : parts[2],
                        repeated);
                switch (parts[0]) {
                    case "{}" -> map = field;
                    case "[]" -> list = field;
                    case "x-" -> extensions = field.number();
                    default -> fields.put(parts[0], field);
                }
            }
            return new Message(words[0], union, fields, map, list, extensions);
        }
    }
}
