package io.plat.review.source;

import java.util.Objects;

/**
 * A location in a file.
 *
 * @param file the file as the user named it
 * @param line the line, counted from 1; 0 means the whole file
 */
public record Location(String file, int line) {
    public Location {
        Objects.requireNonNull(file);
    }

    /** Returns {@code file:line}, or the file alone. */
    @Override
    public String toString() {
        return line > 0 ? file + ":" + line : file;
    }
}
