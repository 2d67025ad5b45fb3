package io.plat.tests.drill;

/**
 * Violation of a guarantee.
 *
 * @param kind the guarantee
 * @param text minimal history that shows it
 */
record Violation(Kind kind, String text) {
    /** The guarantees. */
    enum Kind {
        /** All responses about an object are explained by one order of reads and writes. */
        ORDER,
        /** An acknowledged write is durable. */
        LOST,
        /** A watcher receives every change once, in order. */
        TOLD,
        /** Forbidden requests are never allowed, and allowed ones never forbidden. */
        DECISION,
        /** Service recovers soon after a fault. */
        RETURN
    }

    @Override
    public String toString() {
        return kind + ": " + text;
    }
}
