package io.plat.review.request;

import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Term of a field selector: {@code field=value}, {@code field==value} or {@code field!=value}. In a value a backslash escapes a comma, an
 * equals sign or a backslash.
 *
 * @param equal whether the field must have the value, as opposed to another one
 */
public record FieldTerm(String field, String value, boolean equal) {
    private static final List<String> OPERATORS = List.of("!=", "==", "=");

    /**
     * Parses a selector: terms separated by commas.
     *
     * @return the terms, sorted as Kubernetes sorts them
     * @throws StatusException 400 if it is malformed
     */
    public static List<FieldTerm> parse(String selector) throws StatusException {
        List<String> parts = split(selector);
        Collections.sort(parts);
        List<FieldTerm> terms = new ArrayList<>();
        for (String part : parts) {
            if (!part.isEmpty()) {
                terms.add(term(part, selector));
            }
        }
        return terms;
    }

    /** Splits at unescaped commas; escapes are preserved. */
    private static List<String> split(String selector) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < selector.length(); i++) {
            if (selector.charAt(i) == '\\') {
                i++;
            } else if (selector.charAt(i) == ',') {
                parts.add(selector.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(selector.substring(start));
        return parts;
    }

    private static FieldTerm term(String part, String selector) throws StatusException {
        for (int i = 0; i < part.length(); i++) {
            for (String operator : OPERATORS) {
                if (part.startsWith(operator, i)) {
                    String value = unescaped(part.substring(i + operator.length()));
                    return new FieldTerm(part.substring(0, i), value, !operator.equals("!="));
                }
            }
        }
        throw new StatusException(
                StatusReason.BAD_REQUEST, "invalid selector: '" + selector + "'; can't understand '" + part + "'");
    }

    private static String unescaped(String value) throws StatusException {
        StringBuilder plain = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '=') {
                throw invalid("unescaped character in value: " + (int) c);
            }
            if (c == '\\') {
                i++;
                if (i == value.length() || "\\,=".indexOf(value.charAt(i)) < 0) {
                    throw invalid(
                            "invalid escape sequence: " + value.substring(i - 1, Math.min(i + 1, value.length())));
                }
                c = value.charAt(i);
            }
            plain.append(c);
        }
        return plain.toString();
    }

    private static StatusException invalid(String problem) {
        return new StatusException(StatusReason.BAD_REQUEST, "invalid field selector: " + problem);
    }
}
