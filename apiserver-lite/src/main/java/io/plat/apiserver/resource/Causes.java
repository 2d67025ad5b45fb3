package io.plat.apiserver.resource;

import io.plat.review.status.Status;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with an object, field by field, in the field's wording: within bounds, however much that is. */
final class Causes {
    /** The most that are told. */
    static final int MOST = 100;

    /** The most characters that are quoted of a field's path or its value. */
    private static final int MOST_QUOTED = 1024;

    private final List<Status.Cause> causes = new ArrayList<>();

    void invalid(String field, String value, String why) {
        addInvalid(field, quoted(clipped(value)), why);
    }

    /** A value that is written without quotes, as numbers are. */
    void invalidLiteral(String field, String value, String why) {
        addInvalid(field, clipped(value), why);
    }

    private void addInvalid(String field, String shown, String why) {
        add("FieldValueInvalid", "Invalid value: " + shown + ": " + why, field);
    }

    void required(String field, String why) {
        add("FieldValueRequired", "Required value" + (why.isEmpty() ? "" : ": " + why), field);
    }

    void forbidden(String field, String why) {
        add("FieldValueForbidden", "Forbidden: " + why, field);
    }

    void duplicate(String field, String value) {
        add("FieldValueDuplicate", "Duplicate value: " + quoted(clipped(value)), field);
    }

    void tooLong(String field, int most) {
        add("FieldValueTooLong", "Too long: may not be more than " + most + " bytes", field);
    }

    void notSupported(String field, String value, List<String> supported) {
        addNotSupported(field, quoted(clipped(value)), supported);
    }

    /** A value that is written without further quotes, as lists are. */
    void notSupportedLiteral(String field, String value, List<String> supported) {
        addNotSupported(field, clipped(value), supported);
    }

    private void addNotSupported(String field, String shown, List<String> supported) {
        String list = String.join(", ", supported.stream().map(Causes::quoted).toList());
        add("FieldValueNotSupported", "Unsupported value: " + shown + ": supported values: " + list, field);
    }

    void add(String reason, String message, String field) {
        if (causes.size() < MOST) {
            causes.add(new Status.Cause(reason, message, clipped(field)));
        }
    }

    /** The beginning of what would make a message too long. */
    static String clipped(String text) {
        return clipped(text, MOST_QUOTED);
    }

    /** The same, of so many characters. */
    static String clipped(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }

    /** Whether something is said about a field already. */
    boolean mentions(String field) {
        return causes.stream().anyMatch(cause -> cause.field().equals(clipped(field)));
    }

    boolean isEmpty() {
        return causes.isEmpty();
    }

    List<Status.Cause> list() {
        return List.copyOf(causes);
    }

    /** Text as messages quote it; control characters escaped, so that a message stays one line. */
    static String quoted(String text) {
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
