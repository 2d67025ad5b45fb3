package io.plat.engine.abac;

/**
 * The earliest lines of one key: of those that cover every verb and of those that only read.
 *
 * @param unlimited the position of the first line without {@code readonly}, or {@link #NONE}
 * @param readonly the position of the first line with it, or {@link #NONE}
 */
record FirstLine(int unlimited, int readonly) {
    /** No line: later than any. */
    static final int NONE = Integer.MAX_VALUE;

    static FirstLine of(int position, boolean readonly) {
        return readonly ? new FirstLine(NONE, position) : new FirstLine(position, NONE);
    }

    FirstLine or(FirstLine other) {
        return new FirstLine(Math.min(unlimited, other.unlimited), Math.min(readonly, other.readonly));
    }

    /** The first line that covers a verb which reads, or one that does not. */
    int covering(boolean reads) {
        return reads ? Math.min(unlimited, readonly) : unlimited;
    }
}
