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
        /** One order of reads and writes explains all responses about an object. */
        ORDER,
        /** An acknowledged write is durable. */
        LOST,
        /** A watcher receives every change once, in order. */
        WATCH,
        /** Forbidden requests are never allowed, and allowed ones never forbidden. */
        DECISION,
        /** Service recovers soon after a fault. */
        RECOVERY
    }

    @Override
    public String toString() {
        return kind + ": " + text;
    }
}
