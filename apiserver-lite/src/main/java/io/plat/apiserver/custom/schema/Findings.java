package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.review.status.Status;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with a value, in the field's words and within bounds. For one thread. */
public final class Findings {
    /** The most that are told. */
    private static final int MOST = 100;

    private static final int MOST_QUOTED = 1024;

    private final List<Status.Cause> causes = new ArrayList<>();

    /** Something is wrong with a value. */
    public void invalid(FieldPath at, String shown, String why) {
        add("FieldValueInvalid", "Invalid value: " + clipped(shown) + ": " + why, at);
    }

    /** A value is of the wrong type. */
    void wrongType(FieldPath at, String shown, String why) {
        add("FieldValueTypeInvalid", "Invalid value: " + clipped(shown) + ": " + why, at);
    }

    /** A value has to be there. */
    public void required(FieldPath at, String why) {
        add("FieldValueRequired", "Required value" + (why.isEmpty() ? "" : ": " + why), at);
    }

    /** A value must not be there. */
    public void forbidden(FieldPath at, String why) {
        add("FieldValueForbidden", "Forbidden: " + why, at);
    }

    /** A value stands there more than once. */
    public void duplicate(FieldPath at, String shown) {
        add("FieldValueDuplicate", "Duplicate value: " + clipped(shown), at);
    }

    /** A value is none of those that may be there. */
    public void notSupported(FieldPath at, String shown, List<String> supported) {
        String list = String.join(", ", supported.stream().map(Findings::quoted).toList());
        add("FieldValueNotSupported", "Unsupported value: " + clipped(shown) + ": supported values: " + list, at);
    }

    void tooLong(FieldPath at, long most) {
        add("FieldValueTooLong", "Too long: may not be more than " + most + " bytes", at);
    }

    /** There are too many values. */
    public void tooMany(FieldPath at, long actual, long most) {
        add("FieldValueTooMany", "Too many: " + actual + ": must have at most " + most + " items", at);
    }

    /** Something is wrong with a value, for a reason that is named. */
    public void add(String reason, String message, FieldPath at) {
        if (causes.size() < MOST) {
            var cause = new Status.Cause(reason, message, at.toString());
            if (!causes.contains(cause)) {
                causes.add(cause);
            }
        }
    }

    /** Whether nothing is wrong. */
    public boolean isEmpty() {
        return causes.isEmpty();
    }

    /** What is wrong. */
    public List<Status.Cause> list() {
        return List.copyOf(causes);
    }

    /** A text as messages quote it: one line, however it was written. */
    public static String quoted(String text) {
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

    /** A value as messages show it. */
    public static String shown(JsonNode value) {
        return value.isTextual() ? quoted(value.textValue()) : value.toString();
    }

    private static String clipped(String text) {
        return text.length() <= MOST_QUOTED ? text : text.substring(0, MOST_QUOTED) + "...";
    }
}
