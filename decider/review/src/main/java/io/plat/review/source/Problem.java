package io.plat.review.source;

import java.util.Objects;

/**
 * A problem in a user's file.
 *
 * @param where file and line
 * @param message the problem and the expected value: one line, lower case, user input quoted
 */
public record Problem(Location where, String message) {
    public Problem {
        Objects.requireNonNull(where);
        Objects.requireNonNull(message);
    }

    /** The problem as one line of an error report. */
    @Override
    public String toString() {
        return where + ": " + message;
    }
}
