package io.plat.engine.rbac.coverage;

/** Counts what a comparison costs, so that one that would take too long ends. Belongs to one thread. */
final class Steps {
    private long left;

    Steps(long most) {
        this.left = most;
    }

    /** Takes some; whether there were so many left. */
    boolean take(long count) {
        left -= count;
        return left >= 0;
    }

    /** Whether more were taken than there were. */
    boolean exceeded() {
        return left < 0;
    }
}
