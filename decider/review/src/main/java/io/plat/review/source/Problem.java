package io.plat.review.source;

import java.util.Objects;

/**
 * Something that is wrong with what a user wrote.
 *
 * @param where file and line
 * @param message what is wrong and what was expected: one line, lower case, user input quoted
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
