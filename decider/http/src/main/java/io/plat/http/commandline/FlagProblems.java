package io.plat.http.commandline;

import java.util.ArrayList;
import java.util.List;

/** Problems of a command line: one line each. */
public final class FlagProblems {
    private final List<String> lines = new ArrayList<>();

    FlagProblems() {}

    /**
     * Adds a problem with a flag.
     *
     * @param message the problem and the expected value, lower case, user input quoted
     */
    public void add(Flag<?> flag, String message) {
        addLine(flag.dashed() + ": " + message);
    }

    /** Adds a problem that names its flag itself. */
    public void addLine(String line) {
        lines.add(line);
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
