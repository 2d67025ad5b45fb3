package io.plat.review.source;

/**
 * A location in a file.
 *
 * @param file the file as the user named it
 * @param line the line, counted from 1; 0 means the whole file
 */
public record Location(String file, int line) {
    /** Returns {@code file:line}, or the file alone. */
    @Override
    public String toString() {
        return line > 0 ? file + ":" + line : file;
    }
}
