package io.plat.engine.rbac.coverage;

/** Budget of a comparison, so that one that would take too long is aborted. Not thread-safe. */
final class StepBudget {
    private long remaining;

    StepBudget(long max) {
        this.remaining = max;
    }

    /** Takes steps; returns whether there were enough left. */
    boolean take(long count) {
        remaining -= count;
        return remaining >= 0;
    }

    /** Returns whether the maximum was exceeded. */
    boolean exceeded() {
        return remaining < 0;
    }
}
