package io.plat.tests.linear;

/** Registers by key, each absent (0) or in a state set by a client. Thread-safe. */
interface Registers {
    /** Executes an operation and returns its result. */
    Operation.Result apply(String key, Operation.Action action);
}
