package io.plat.apiserver.openapi;

import io.plat.apiserver.tree.ProgramData;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Message of the protobuf form of OpenAPI v2, from {@code gnostic-fields.txt}.
 *
 * @param union whether it is a wrapper of alternatives
 * @param fields fields by JSON name
 * @param map field for each entry, if the JSON object is a map
 * @param list field for each element, if the JSON form is a list or a single element
 * @param extensions number of the field for {@code x-} extensions; 0 if there is none
 */
record GnosticMessage(
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

    private static final Map<String, GnosticMessage> BY_NAME = read();

    GnosticMessage {
        fields = Map.copyOf(fields);
    }

    static GnosticMessage of(String name) {
        return Objects.requireNonNull(BY_NAME.get(name), name);
    }

    /** Returns the field of a JSON name, null if there is none. */
    @Nullable
    Field field(String member) {
        return fields.get(member);
    }

    private static Map<String, GnosticMessage> read() {
        Map<String, GnosticMessage> messages = new HashMap<>();
        ProgramData.lines(GnosticMessage.class, "gnostic-fields.txt")
                .map(GnosticMessage::parse)
                .forEach(message -> messages.put(message.name(), message));
        return Map.copyOf(messages);
    }

    private static GnosticMessage parse(String line) {
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
        return new GnosticMessage(words[0], union, fields, map, list, extensions);
    }
}
