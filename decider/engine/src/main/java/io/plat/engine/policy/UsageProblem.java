package io.plat.engine.policy;

import java.util.Objects;

/**
 * Something that is wrong with a command line.
 *
 * @param flag the flag, with its dashes
 * @param message what is wrong and what was expected: one line, lower case, user input quoted
 */
public record UsageProblem(String flag, String message) {
    public UsageProblem {
        Objects.requireNonNull(flag);
        Objects.requireNonNull(message);
    }

    /** The problem as one line of an error report. */
    @Override
    public String toString() {
        return flag + ": " + message;
    }
}
