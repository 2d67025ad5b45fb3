package io.plat.cli.output;

import java.io.Console;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Terminal colours; disabled by {@code NO_COLOR} (no-color.org) or if the output is not a terminal. */
public enum Colour {
    GREEN("\u001B[32m"),
    RED("\u001B[31m"),
    YELLOW("\u001B[33m");

    private static final String RESET = "\u001B[0m";

    private final String sequence;

    Colour(String sequence) {
        this.sequence = sequence;
    }

    /** Returns all escape sequences for colours. */
    static Set<String> sequences() {
        return Stream.concat(Stream.of(RESET), Arrays.stream(values()).map(colour -> colour.sequence))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the text in this colour, or unchanged if colours are disabled. */
    public String paint(String text, boolean enabled) {
        return enabled ? sequence + text + RESET : text;
    }

    /** Returns whether this process's output may be coloured. */
    // The current JDK has no console without a terminal, contrary to the check's description for newer ones.
    @SuppressWarnings("SystemConsoleNull")
    public static boolean isEnabled(Map<String, String> environment) {
        Console console = System.console();
        return console != null
                && console.isTerminal()
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }
}
