package io.plat.tests.linear;

/** Registers by key, each absent (0) or in a state that a client has chosen. For any number of threads. */
interface Registers {
    /** Does one thing and says what became of it. */
    Operation.Result apply(String key, Operation.Action action);
}
