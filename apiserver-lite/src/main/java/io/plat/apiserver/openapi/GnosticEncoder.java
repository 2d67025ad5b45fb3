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
 * <p>The messages are data ({@code gnostic-fields.txt}); this class implements the rest: maps are lists of named values, lists and unions
 * have a wrapper message, and extensions are YAML strings, of which JSON is a subset.
 */
final class GnosticEncoder {
    private static final JsonMapper MAPPER = new JsonMapper(JsonFactories.create());
    private static final Set<String> ONE_BY_ONE = Set.of("Paths", "Definitions");
    private static final int NAME = 1;
    private static final int VALUE = 2;
    private static final int YAML = 2;

    /** Most messages are short, and there are many. */
    private static final int BUFFER = 128;

    private static final Map<String, Message> MESSAGES = read();

    private GnosticEncoder() {}

    private record Message(Map<String, Field> members, Map<String, Field> others) {}

    /** @param type {@code string}, {@code bool}, {@code int64}, {@code double}, {@code any} or the name of a message */
    private record Field(int number, String type, boolean repeated) {}

    private static Map<String, Message> read() {
        Map<String, Message> messages = new HashMap<>();
        ProgramData.lines(GnosticEncoder.class, "gnostic-fields.txt").forEach(line -> {
            String[] words = line.split(" ", -1);
            var message = new Message(new HashMap<>(), new HashMap<>());
            for (int i = 1; i < words.length; i++) {
                String[] parts = words[i].split("[=:]", -1);
                boolean other = parts[0].startsWith(".") || parts[0].equals("{}") || parts[0].equals("x-");
                var field = new Field(Integer.parseInt(parts[1]), parts[2].replace("*", ""), parts[2].endsWith("*"));
                (other ? message.others() : message.members()).put(parts[0], field);
            }
            messages.put(words[0], message);
        });
        return Frozen.copyOf(messages);
    }

    static byte[] encode(byte[] document) {
        try (JsonParser parser = MAPPER.createParser(document)) {
            parser.nextToken();
            return message(wire -> members("Document", parser, wire));
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own document is JSON", e);
        }
    }

    /** Writes an object that is being read. Paths and schemas are read one at a time: the trees of all take ten times the memory. */
    private static void members(String type, JsonParser parser, CodedOutputStream wire) throws IOException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            Field field = named(type).members().get(name);
            if (field != null && ONE_BY_ONE.contains(field.type())) {
                wire.writeByteArray(field.number(), message(own -> members(field.type(), parser, own)));
            } else {
                member(type, name, MAPPER.readTree(parser), wire);
            }
        }
    }

    private static Message named(String type) {
        return Objects.requireNonNull(MESSAGES.get(type), type);
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
        Field whole = whole(named(type), value);
        return message(wire -> {
            if (whole != null) {
                field(whole, value, wire);
                return;
            }
            for (Map.Entry<String, JsonNode> member : value.properties()) {
                member(type, member.getKey(), member.getValue(), wire);
            }
        });
    }

    /** Returns the field for the value itself: that of its alternative in a union, or that of a list; null if its members have fields. */
    private static @Nullable Field whole(Message message, JsonNode value) {
        String alternative = value.isBoolean() ? "bool" : value.path("in").asText();
        Field field = message.others().get("." + alternative);
        return field == null ? message.others().get(".") : field;
    }

    private static void member(String type, String name, JsonNode value, CodedOutputStream wire) throws IOException {
        Message message = named(type);
        Field field = message.members().get(name);
        if (field != null) {
            field(field, value, wire);
            return;
        }
        Field extension = name.startsWith("x-") ? message.others().get("x-") : null;
        Field other = extension == null ? message.others().get("{}") : extension;
        if (other == null) {
            throw new IllegalArgumentException("no field " + name + " in " + type);
        }
        byte[] content = other.type().equals("any") ? any(value) : message(other.type(), value);
        wire.writeByteArray(other.number(), message(entry -> {
            entry.writeString(NAME, name);
            entry.writeByteArray(VALUE, content);
        }));
    }

    private static void field(Field field, JsonNode value, CodedOutputStream wire) throws IOException {
        if (field.repeated() && value.isArray()) {
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

    private static byte[] any(JsonNode value) throws IOException {
        return message(wire -> wire.writeString(YAML, value + "\n"));
    }
}
