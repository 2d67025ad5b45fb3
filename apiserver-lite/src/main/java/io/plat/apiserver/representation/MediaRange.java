package io.plat.apiserver.representation;

import io.plat.engine.lookup.Frozen;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Entry of an {@code Accept} header, or a {@code Content-Type} (RFC 9110, 8.3.1 and 12.5.1).
 *
 * @param type type and subtype in lower case, {@code *} for any
 * @param parameters parameters except {@code q}, with names in lower case
 * @param quality 0 (never) or more, usually up to 1
 */
public record MediaRange(String type, Map<String, String> parameters, double quality) {
    public MediaRange {
        parameters = Frozen.copyOf(parameters);
    }

    /** Returns the entries of a header by descending quality, stable for equal ones, without those of quality 0. */
    public static List<MediaRange> accepted(String header) {
        List<MediaRange> ranges = new ArrayList<>();
        for (String entry : header.split(",", -1)) {
            if (!entry.isBlank()) {
                ranges.add(parse(entry));
            }
        }
        ranges.removeIf(range -> range.quality <= 0);
        ranges.sort((a, b) -> Double.compare(b.quality, a.quality));
        return ranges;
    }

    public static MediaRange parse(String text) {
        String[] parts = text.split(";", -1);
        Map<String, String> parameters = new LinkedHashMap<>();
        double quality = 1;
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            String name = (equals < 0 ? parts[i] : parts[i].substring(0, equals))
                    .strip()
                    .toLowerCase(Locale.ROOT);
            String value =
                    equals < 0 ? "" : parts[i].substring(equals + 1).strip().replace("\"", "");
            if (name.equals("q")) {
                quality = quality(value);
            } else if (!name.isEmpty()) {
                parameters.put(name, value);
            }
        }
        return new MediaRange(parts[0].strip().toLowerCase(Locale.ROOT), parameters, quality);
    }

    /** Parses a quality; a malformed or negative one is the least, as in kube-apiserver. */
    private static double quality(String text) {
        try {
            double value = Double.parseDouble(text);
            return value >= 0 ? value : Double.MIN_VALUE;
        } catch (NumberFormatException e) {
            return Double.MIN_VALUE;
        }
    }

    /** Returns whether a type without parameters matches. */
    public boolean includes(String candidate) {
        return type.equals("*/*")
                || type.equals(candidate)
                || (type.endsWith("/*") && candidate.startsWith(type.substring(0, type.length() - 1)));
    }

    /** Returns whether a transformed representation is requested, such as a table. */
    public boolean transforms() {
        return parameters.containsKey("as");
    }
}
