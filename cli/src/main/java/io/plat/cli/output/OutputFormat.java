package io.plat.cli.output;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The formats of {@code -o} that every command has. */
public enum OutputFormat {
    TEXT,
    JSON,
    YAML;

    /** The format of a name as it is typed, if it is one of these. */
    public static Optional<OutputFormat> of(String word) {
        return Arrays.stream(values())
                .filter(format -> format.toString().equals(word))
                .findFirst();
    }

    /** The name as it is typed. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
