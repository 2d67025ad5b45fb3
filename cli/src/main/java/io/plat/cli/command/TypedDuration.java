package io.plat.cli.command;

import io.plat.cli.process.CommandException;
import io.plat.review.source.Durations;
import java.time.Duration;

/** Durations as values of flags, in kubectl's format: {@code 500ms}, {@code 30s}, {@code 1m30s}. */
public final class TypedDuration {
    private TypedDuration() {}

    /**
     * Parses the value of a flag.
     *
     * @throws CommandException if it is malformed or zero
     */
    public static Duration parse(String flag, String text) {
        return Durations.parse(text)
                .filter(Duration::isPositive)
                .orElseThrow(() ->
                        CommandException.usage(flag + ": expected a duration such as 30s, found \"" + text + "\""));
    }
}
