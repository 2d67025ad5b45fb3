package io.plat.engine.access;

/** The difference of two policies has more pieces than anybody could read. */
public final class TooComplexException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooComplexException(long steps) {
        super("the policies overlap in more than " + steps + " ways", null, false, false);
    }
}
