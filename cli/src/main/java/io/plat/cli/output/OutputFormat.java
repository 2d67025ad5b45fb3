package io.plat.cli.output;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The formats of {@code -o} that every command has. */
public enum OutputFormat {
    TEXT,
    JSON,
    YAML;

    /** Returns the format with this name, if there is one. */
    public static Optional<OutputFormat> of(String word) {
        return Arrays.stream(values())
                .filter(format -> format.toString().equals(word))
                .findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
