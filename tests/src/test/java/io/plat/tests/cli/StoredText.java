package io.plat.tests.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Replaces volatile parts by placeholders: {@code <server>}, {@code <time>} and others. */
final class StoredText {
    private static final Map<Pattern, String> PATTERNS = new LinkedHashMap<>();

    static {
        PATTERNS.put(Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z"), "<time>");
        PATTERNS.put(Pattern.compile("SHA256=[0-9a-f]{64}"), "SHA256=<fingerprint>");
        PATTERNS.put(Pattern.compile("(serial\\W+)[0-9a-f]{16,}"), "$1<serial>");
        PATTERNS.put(Pattern.compile("\\b\\d+\\.\\d+\\.\\d+-SNAPSHOT\\b"), "<version>");
    }

    private final Map<String, String> names = new LinkedHashMap<>();

    /** Registers a placeholder for a text. */
    StoredText with(String text, String name) {
        names.put(text, name);
        return this;
    }

    String of(String printed) {
        String text = printed;
        for (Map.Entry<String, String> name : names.entrySet()) {
            text = text.replace(name.getKey(), name.getValue());
        }
        for (Map.Entry<Pattern, String> pattern : PATTERNS.entrySet()) {
            text = pattern.getKey().matcher(text).replaceAll(pattern.getValue());
        }
        return text;
    }
}
