package io.plat.apiserver.type;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.cel.text.Quantity;
import io.plat.review.status.StatusException;
import java.util.List;

/**
 * String formats with a binary equivalent: bytes, times and quantities. Stored values must be valid, so that they can be served in
 * protobuf.
 */
final class StringFormats {
    /** Maximum length of a quoted malformed string, in characters. */
    private static final int QUOTED = 100;

    private static final Pattern QUANTITY = Pattern.compile("^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$");

    private static final String FRACTION = ".000000";
    private static final Pattern MICROS = Pattern.compile("[.,]\\d{6}([Z+-]|$)");

    private record Element(String name, String form) {}

    private static final List<Element> LAYOUT = List.of(
            new Element("2006", "\\d{4}"),
            new Element("-", "-"),
            new Element("01", "\\d\\d"),
            new Element("-", "-"),
            new Element("02", "\\d\\d"),
            new Element("T", "T"),
            new Element("15", "\\d\\d"),
            new Element(":", ":"),
            new Element("04", "\\d\\d"),
            new Element(":", ":"),
            new Element("05", "\\d\\d"),
            new Element(FRACTION, "[.,]\\d{6}"),
            new Element("Z07:00", "Z|[+-]\\d\\d:\\d\\d"));

    private StringFormats() {}

    /**
     * Checks a string by its format in the schema; {@code ""} and unconstrained formats have no rule.
     *
     * @throws StatusException 400 for a malformed string
     */
    static void check(ResourceType type, TypeSchema schema, String text) throws StatusException {
        switch (schema.format()) {
            case "byte" -> checkBytes(type, text);
            case "date-time" -> checkTime(type, text, schema.inMicroseconds());
            default -> {}
        }
    }

    private static void checkBytes(ResourceType type, String text) throws StatusException {
        int illegal = illegalByte(text);
        if (illegal >= 0) {
            throw Shape.cannotBeHandled(type, "illegal base64 data at input byte " + illegal);
        }
    }

    /** Returns the index at which Go reports malformed base64 (RFC 4648, section 4); negative if valid. */
    private static int illegalByte(String text) {
        int at = 0;
        int group = 0;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (isBase64(c)) {
                group = (group + 1) % 4;
            } else if (c == '=') {
                int end = group == 2 ? breaks(text, at + 1) : at;
                if (group < 2 || (end < text.length() && group == 2 && text.charAt(end) != '=')) {
                    return group < 2 ? at : end - 1;
                }
                int rest = breaks(text, end + 1);
                return end == text.length() ? end : rest < text.length() ? rest : -1;
            } else if (c != '\n' && c != '\r') {
                return at;
            }
        }
        return group == 0 ? -1 : at - group;
    }

    private static boolean isBase64(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
    }

    /** Returns the index after line breaks. */
    private static int breaks(String text, int from) {
        int at = from;
        while (at < text.length() && (text.charAt(at) == '\n' || text.charAt(at) == '\r')) {
            at++;
        }
        return at;
    }

    private static void checkTime(ResourceType type, String text, boolean micros) throws StatusException {
        if (Timestamps.parse(text).isEmpty() || (micros && !MICROS.matcher(text).find())) {
            throw Shape.cannotBeHandled(
                    type,
                    "parsing time " + FieldErrorMessages.quoted(FieldErrorMessages.clipped(text, QUOTED))
                            + " as \"2006-01-02T15:04:05" + (micros ? FRACTION : "") + "Z07:00\": "
                            + problem(text, micros));
        }
    }

    /** Returns the unmatched element of the layout, and the rest of the string there. */
    private static String problem(String text, boolean micros) {
        String rest = text;
        for (Element expected : LAYOUT) {
            boolean optional = expected.name().equals(FRACTION) && !micros;
            Matcher element =
                    Pattern.compile(optional ? "([.,]\\d+)?" : expected.form()).matcher(rest);
            if (!element.lookingAt()) {
                return "cannot parse " + FieldErrorMessages.quoted(FieldErrorMessages.clipped(rest, QUOTED)) + " as "
                        + FieldErrorMessages.quoted(expected.name());
            }
            rest = rest.substring(element.end());
        }
        String unparsed = FieldErrorMessages.clipped(rest, QUOTED);
        return unparsed.isEmpty() ? "day out of range" : "extra text: " + FieldErrorMessages.quoted(unparsed);
    }

    /**
     * Checks a quantity, such as {@code 100m} or {@code 1Gi}.
     *
     * @throws StatusException 400 for a malformed one
     */
    static void checkQuantity(ResourceType type, String text) throws StatusException {
        if (!Quantity.isQuantity(text)) {
            throw notAQuantity(type, text);
        }
    }

    /** Returns the failure for a value that is not a quantity. */
    static StatusException notAQuantity(ResourceType type, String text) {
        Matcher form = QUANTITY.matcher(text);
        String problem = !form.matches()
                ? "quantities must match the regular expression '" + QUANTITY + "'"
                : Quantity.isQuantity("1" + form.group(2))
                        ? "unable to parse numeric part of quantity"
                        : "unable to parse quantity's suffix";
        return Shape.cannotBeHandled(type, problem);
    }
}
