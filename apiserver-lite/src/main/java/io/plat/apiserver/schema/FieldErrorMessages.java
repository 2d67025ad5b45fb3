package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.memory.BoundedOutput;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;

/** Messages of validation errors, byte for byte those of Kubernetes, which clients parse, with limits. */
public final class FieldErrorMessages {
    /** Maximum length of a quoted path or value, in characters. */
    private static final int MAX_QUOTED_LENGTH = 1024;

    /** Maximum length of a message, in characters. */
    static final int MAX_MESSAGE_LENGTH = 8192;

    /** Length after which a list of names is truncated, in characters. */
    private static final int MAX_LIST_LENGTH = 4096;

    private static final int BYTES_OF_A_CHARACTER = 3;

    private static final JsonMapper JSON = new JsonMapper(JsonFactories.create());

    private FieldErrorMessages() {}

    /** Returns the message for an invalid value; the detail may be {@code ""}. */
    public static String invalid(String badValue, String detail) {
        return "Invalid value: " + badValue + (detail.isEmpty() ? "" : ": " + detail);
    }

    /** Returns a value in displayed form: strings in quotes, anything else as JSON, {@code null} if absent. */
    public static String shown(JsonNode value) {
        if (value.isContainerNode()) {
            // Go escapes characters of HTML.
            String json = beginning(value, MAX_QUOTED_LENGTH + 1);
            return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
        }
        if (value.isFloatingPointNumber()) {
            return number(new BigDecimal(Double.toString(value.doubleValue())).stripTrailingZeros());
        }
        return value.isMissingNode() ? "null" : value.isTextual() ? quoted(value.asText()) : value.toString();
    }

    /** Returns a number as Go prints it: with an exponent of at least two digits if it is very small, or a million or more. */
    private static String number(BigDecimal value) {
        int exponent = value.precision() - value.scale() - 1;
        if (value.signum() == 0 || (exponent >= -4 && exponent <= 5)) {
            return value.toPlainString();
        }
        String digits = value.movePointLeft(exponent).stripTrailingZeros().toPlainString();
        return digits + (exponent < 0 ? "e-" : "e+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    /** Returns the JSON of a value, or its first characters: the rest is not written, so that large values cost no more. */
    public static String beginning(JsonNode value, int maxLength) {
        var json = new BoundedOutput(256, BYTES_OF_A_CHARACTER * maxLength);
        try (var generator = JSON.createGenerator(json)) {
            JSON.writeTree(generator, value);
        } catch (IOException full) {
            // The beginning is in the output.
        }
        String text = new String(json.toByteArray(), StandardCharsets.UTF_8);
        return text.substring(0, Math.min(text.length(), maxLength));
    }

    /** Returns the message for a required value; the reason may be {@code ""}. */
    public static String required(String detail) {
        return "Required value" + (detail.isEmpty() ? "" : ": " + detail);
    }

    public static String forbidden(String detail) {
        return "Forbidden: " + detail;
    }

    public static String duplicate(String badValue) {
        return "Duplicate value: " + badValue;
    }

    public static String notSupported(String badValue, List<String> supported) {
        return "Unsupported value: " + badValue + ": supported values: "
                + listed(supported, FieldErrorMessages::quoted);
    }

    /** Returns the first names, as many as fit into a message. */
    public static String listed(Collection<String> names, UnaryOperator<String> form) {
        var list = new StringBuilder();
        for (String name : names) {
            if (list.length() > MAX_LIST_LENGTH) {
                return list.append(", ...").toString();
            }
            list.append(list.isEmpty() ? "" : ", ").append(form.apply(clipped(name)));
        }
        return list.toString();
    }

    public static String tooLong(long max) {
        return "Too long: may not be more than " + max + (max == 1 ? " byte" : " bytes");
    }

    public static String tooMany(long count, long max) {
        return "Too many: " + count + ": must have at most " + max + (max == 1 ? " item" : " items");
    }

    /** Truncates text that would make a message too long. */
    public static String clipped(String text) {
        return clipped(text, MAX_QUOTED_LENGTH);
    }

    /** Truncates text to a number of characters. */
    public static String clipped(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max) + "...";
    }

    /** Quotes text; control characters are escaped, so that a message is one line. */
    public static String quoted(String value) {
        String text = clipped(value, MAX_MESSAGE_LENGTH);
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
