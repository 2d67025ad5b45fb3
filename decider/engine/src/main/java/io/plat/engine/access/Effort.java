package io.plat.engine.access;

/** Bounds how much a difference may cost, as what one policy cuts out of another may be cut again by every further rule. */
final class Effort {
    private static final long MOST = 200_000_000;

    private long steps;

    /** Counts steps, each the comparison of two shapes. */
    void spend(long more) {
        steps += more;
        if (steps > MOST) {
            throw new TooComplexException(MOST);
        }
    }
}
