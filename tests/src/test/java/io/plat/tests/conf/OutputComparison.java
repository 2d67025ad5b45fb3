package io.plat.tests.conf;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Comparison of the output in a page with the output of a command, ignoring volatile parts. */
final class OutputComparison {
    private static final String SKIPPED = "...";

    /** Volatile parts, each with its replacement; the order matters. */
    private static final List<Mask> MASKS = List.of(
            new Mask("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z", "TIME"),
            new Mask("[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4} GMT", "TIME"),
            new Mask("\\b20\\d\\d-\\d\\d-\\d\\d\\b", "DATE"),
            new Mask("\\b\\d\\.\\d+E9\\b", "TIME"),
            new Mask("\\b[0-9a-f]{12}-\\d+\\b", "REVISION"),
            new Mask("\\b[0-9a-fA-F]{64}\\b", "DIGEST"),
            new Mask("\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b", "UID"),
            new Mask("\\b(?:[0-9a-fA-F]{2}:?){15,20}\\b", "SERIAL"),
            new Mask("(127\\.0\\.0\\.1|localhost):\\d+", "$1:PORT"),
            new Mask("(\"durationMicros\":|resourceVersion: ?\"?|revision: )\\d+", "$1N"),
            new Mask("\\b\\d+(?:\\.\\d+)?(?:ms|µs|s|m|d)\\b", "DURATION"),
            new Mask("(?<=\\S) {2,}", " "));

    private record Mask(Pattern pattern, String replacement) {
        Mask(String pattern, String replacement) {
            this(Pattern.compile(pattern), replacement);
        }
    }

    private OutputComparison() {}

    /** Returns whether a text matches the output in a page; {@code ...} stands for any lines, or for any part of a line. */
    static boolean matches(List<String> documented, String printed) {
        String pattern = documented.stream()
                .map(line -> line.strip().equals(SKIPPED) ? "(?:[^\\n]*\\n)*?" : pattern(line) + "\\n")
                .collect(Collectors.joining());
        String lines = masked(printed);
        return Pattern.compile(pattern)
                .matcher(lines.isEmpty() || lines.endsWith("\n") ? lines : lines + "\n")
                .matches();
    }

    private static String pattern(String line) {
        return Arrays.stream(masked(line).split("\\.\\.\\.", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining("[^\\n]*"));
    }

    static String masked(String text) {
        String masked = text.lines().map(String::stripTrailing).collect(Collectors.joining("\n"));
        for (Mask mask : MASKS) {
            masked = mask.pattern().matcher(masked).replaceAll(mask.replacement());
        }
        return masked;
    }
}
