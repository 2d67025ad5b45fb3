package io.plat.apiserver.openapi;

import io.plat.apiserver.tree.ProgramData;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message of the binary form of OpenAPI v2, as {@code gnostic-fields.txt} has it.
 *
 * @param name its name
 * @param union whether it only says which of several things stands in it
 * @param fields the fields by the members of the JSON form
 * @param map the field of each member, where members have names of their own
 * @param list the field of each element, where the JSON form is a list or one element of it
 * @param extensions the number of the field for members that begin with {@code x-}; 0 where there can be none
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
     * @param number its number
     * @param type {@code string}, {@code bool}, {@code int64}, {@code double}, {@code any} or the name of a message
     * @param repeated whether it holds several
     */
    record Field(int number, String type, boolean repeated) {}

    private static final Map<String, GnosticMessage> BY_NAME = read();

    GnosticMessage {
        fields = Map.copyOf(fields);
    }

    /** The message of a name. */
    static GnosticMessage of(String name) {
        return Objects.requireNonNull(BY_NAME.get(name), name);
    }

    /** The field of a member, null where there is none. */
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
