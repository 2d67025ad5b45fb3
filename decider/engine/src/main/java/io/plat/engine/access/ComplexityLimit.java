package io.plat.engine.access;

/** Bound on the cost of a difference, as every rule may split the remaining pieces of a policy again. */
final class ComplexityLimit {
    private static final long MAX = 200_000_000;

    private long steps;

    /** Counts steps, each the comparison of two shapes. */
    void spend(long more) {
        steps += more;
        if (steps > MAX) {
            throw new TooComplexException(MAX);
        }
    }
}
