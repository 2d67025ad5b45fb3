package io.plat.engine.access;

/** The difference of two policies has too many pieces to be readable. */
public final class TooComplexException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooComplexException(long steps) {
        super("the policies overlap in more than " + steps + " ways", null, false, false);
    }
}
