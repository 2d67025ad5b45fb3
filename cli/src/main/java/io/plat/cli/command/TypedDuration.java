package io.plat.cli.command;

import io.plat.cli.process.CommandException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in kubectl's format: {@code 500ms}, {@code 30s}, {@code 1m30s}. */
public final class TypedDuration {
    private static final Pattern PART = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private TypedDuration() {}

    /**
     * Parses the value of a flag.
     *
     * @throws CommandException if it is malformed or zero
     */
    public static Duration parse(String flag, String text) {
        Matcher part = PART.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (part.find() && part.start() == end) {
            long count = Long.parseLong(part.group(1));
            sum = sum.plus(
                    switch (part.group(2)) {
                        case "ms" -> Duration.ofMillis(count);
                        case "s" -> Duration.ofSeconds(count);
                        case "m" -> Duration.ofMinutes(count);
                        default -> Duration.ofHours(count);
                    });
            end = part.end();
        }
        if (end < text.length() || !sum.isPositive()) {
            throw CommandException.usage(flag + ": expected a duration such as 30s, found \"" + text + "\"");
        }
        return sum;
    }
}
