package io.plat.engine.access;

/** Bound on the cost of a difference, as every rule may split the remaining pieces of a policy again. */
final class ComplexityLimit {
    private static final long DEFAULT = 200_000_000;

    private final long max;
    private long steps;

    ComplexityLimit() {
        this(DEFAULT);
    }

    ComplexityLimit(long max) {
        this.max = max;
    }

    /** Counts steps, each the comparison of two boxes or values. */
    void spend(long more) {
        steps += more;
        if (steps > max) {
            throw new TooComplexException(max);
        }
    }
}
