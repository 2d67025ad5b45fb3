package io.plat.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelByteString;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** String formatting: {@code '%s: %d'.format(['a', 1])}. */
final class TextFunctions extends FunctionLibrary {
    private static final Pattern VERB = Pattern.compile("%(?:\\.([0-9]{1,2}))?([a-zA-Z%])?");
    private static final int DIGITS = 6;

    TextFunctions() {
        member("format", TEXT, TEXT, new Type<>(ListType.create(SimpleType.DYN), List.class), TextFunctions::format);
    }

    private static String format(String text, List<?> values) {
        Iterator<?> remaining = values.iterator();
        var result = new StringBuilder();
        Matcher verbs = VERB.matcher(text);
        while (verbs.find()) {
            verbs.appendReplacement(result, "");
            if (verbs.group(2) == null) {
                throw unknown("");
            }
            char verb = verbs.group(2).charAt(0);
            if (verb == '%') {
                result.append(verb);
            } else if (remaining.hasNext()) {
                int digits = verbs.group(1) == null ? DIGITS : Integer.parseInt(verbs.group(1));
                result.append(formatted(verb, digits, remaining.next()));
            } else {
                throw new IllegalArgumentException("index " + values.size() + " out of range");
            }
        }
        return verbs.appendTail(result).toString();
    }

    private static IllegalArgumentException unknown(String verb) {
        return new IllegalArgumentException(
                "could not parse formatting clause: unrecognized formatting clause \"" + verb + "\"");
    }

    private static String formatted(char verb, int digits, Object value) {
        return switch (verb) {
            case 's' -> display(value);
            case 'd' -> whole(verb, value).toPlainString();
            case 'f', 'e' -> real(verb, digits, value);
            case 'b' -> value instanceof Boolean yes ? (yes ? "1" : "0") : inRadix(verb, value, 2);
            case 'o' -> inRadix(verb, value, 8);
            case 'x' -> hexadecimal(verb, value);
            case 'X' -> hexadecimal(verb, value).toUpperCase(Locale.ROOT);
            default -> throw unknown(Character.toString(verb));
        };
    }

    private static String hexadecimal(char verb, Object value) {
        return switch (value) {
            case String text -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
            case CelByteString bytes -> HexFormat.of().formatHex(bytes.toByteArray());
            default -> inRadix(verb, value, 16);
        };
    }

    private static String inRadix(char verb, Object value, int radix) {
        return whole(verb, value).toBigInteger().toString(radix);
    }

    private static BigDecimal whole(char verb, Object value) {
        if (value instanceof Number number && !(number instanceof Double)) {
            return new BigDecimal(number.toString());
        }
        throw new IllegalArgumentException("%" + verb + " is for whole numbers");
    }

    private static String real(char verb, int digits, Object value) {
        if (!(value instanceof Number number)) {
            throw new IllegalArgumentException("%" + verb + " is for numbers");
        }
        return Double.isFinite(number.doubleValue())
                ? String.format(Locale.ROOT, "%." + digits + verb, number.doubleValue())
                : plain(number.doubleValue());
    }

    private static String display(Object value) {
        return switch (value) {
            case Double number -> plain(number);
            case CelByteString bytes -> bytes.toStringUtf8();
            case Duration duration -> seconds(duration);
            case Instant time -> time.toString();
            case List<?> list -> list.stream().map(TextFunctions::display).collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> display(entry.getKey()) + ": " + display(entry.getValue()))
                        .sorted()
                        .collect(Collectors.joining(", ", "{", "}"));
            default -> value.toString().equals("NULL_VALUE") ? "null" : value.toString();
        };
    }

    private static String plain(double number) {
        if (Double.isInfinite(number)) {
            return number > 0 ? "Infinity" : "-Infinity";
        }
        return Double.isNaN(number)
                ? "NaN"
                : BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    private static String seconds(Duration duration) {
        BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds())
                .add(BigDecimal.valueOf(duration.getNano(), 9))
                .stripTrailingZeros();
        return seconds.toPlainString() + "s";
    }
}
