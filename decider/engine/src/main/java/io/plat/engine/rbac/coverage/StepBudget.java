package io.plat.engine.rbac.coverage;

/** Budget of a comparison, so that one that would take too long is aborted. Not thread-safe. */
final class StepBudget {
    private long left;

    StepBudget(long most) {
        this.left = most;
    }

    /** Takes steps; returns whether there were enough left. */
    boolean take(long count) {
        left -= count;
        return left >= 0;
    }

    /** Returns whether the maximum was exceeded. */
    boolean exceeded() {
        return left < 0;
    }
}
