package io.plat.tests.drill;

/**
 * Something that a sound system does not do.
 *
 * @param kind which promise is broken
 * @param text the smallest history that shows it
 */
record Violation(Kind kind, String text) {
    /** The promises. */
    enum Kind {
        /** Reads and writes of an object have one order that explains all answers. */
        ORDER,
        /** An acknowledged write is durable. */
        LOST,
        /** A watcher is told every change once, in order. */
        TOLD,
        /** Nobody is allowed what they may not do, nor told that they may not what they may. */
        DECISION,
        /** Service returns soon after a fault. */
        RETURN
    }

    @Override
    public String toString() {
        return kind + ": " + text;
    }
}
