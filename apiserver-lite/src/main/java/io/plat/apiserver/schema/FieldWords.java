package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;

/** The messages of validation errors, word for word those of Kubernetes, which clients parse, and within bounds. */
public final class FieldWords {
    /** The most characters that are quoted of a field's path or its value. */
    private static final int MOST_QUOTED = 1024;

    /** The most characters of a message. */
    static final int MOST_MESSAGE = 8192;

    /** The characters after which a list of names ends. */
    private static final int MOST_LISTED = 4096;

    private FieldWords() {}

    /** The value is wrong. */
    public static String invalid(String shown, String why) {
        return "Invalid value: " + shown + ": " + why;
    }

    /** A value as messages show it: text in quotes, anything else as it is written, {@code null} for what is not there. */
    public static String shown(JsonNode value) {
        if (value.isContainerNode()) {
            return BoundedJson.of(value, MOST_QUOTED + 1);
        }
        return value.isMissingNode() ? "null" : value.isTextual() ? quoted(value.asText()) : value.toString();
    }

    /** The value has to be there; {@code ""} for no reason beside that. */
    public static String required(String why) {
        return "Required value" + (why.isEmpty() ? "" : ": " + why);
    }

    /** The value must not be there. */
    public static String forbidden(String why) {
        return "Forbidden: " + why;
    }

    /** The value stands there more than once. */
    public static String duplicate(String shown) {
        return "Duplicate value: " + shown;
    }

    /** The value is none of those that may be there. */
    public static String notSupported(String shown, List<String> supported) {
        return "Unsupported value: " + shown + ": supported values: " + listed(supported, FieldWords::quoted);
    }

    /** The first of some names, as many as a message has room for. */
    public static String listed(Collection<String> names, UnaryOperator<String> form) {
        var list = new StringBuilder();
        for (String name : names) {
            if (list.length() > MOST_LISTED) {
                return list.append(", ...").toString();
            }
            list.append(list.isEmpty() ? "" : ", ").append(form.apply(clipped(name)));
        }
        return list.toString();
    }

    /** The value has more bytes than it may have. */
    public static String tooLong(long most) {
        return "Too long: may not be more than " + most + " bytes";
    }

    /** The list has more elements than it may have. */
    public static String tooMany(long count, long most) {
        return "Too many: " + count + ": must have at most " + most + " items";
    }

    /** The beginning of what would make a message too long. */
    public static String clipped(String text) {
        return clipped(text, MOST_QUOTED);
    }

    /** The same, of so many characters. */
    public static String clipped(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }

    /** Text as messages quote it; control characters escaped, so that a message stays one line. */
    public static String quoted(String whole) {
        String text = clipped(whole, MOST_MESSAGE);
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                case '\r' -> quoted.append("\\r");
                default -> {
                    if (c < ' ' || c == '\u007f') {
                        quoted.append(String.format("\\x%02x", (int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}
