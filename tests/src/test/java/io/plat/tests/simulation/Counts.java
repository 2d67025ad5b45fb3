package io.plat.tests.simulation;

/** Counters of a running fleet. */
final class Counts {
    private final Times answers = new Times();
    private final Times stale = new Times();
    private long hits;
    private long failed;
    private long again;

    void hit() {
        hits++;
    }

    void failed() {
        failed++;
    }

    void again() {
        again++;
    }

    void answered(long nanos) {
        answers.add(nanos);
    }

    void stale(long nanos) {
        stale.add(nanos);
    }

    /** Begins anew, as what was before is not to count. */
    void clear() {
        answers.clear();
        stale.clear();
        hits = 0;
        failed = 0;
        again = 0;
    }

    Outcome outcome(double seconds, long decided, double deciderCores, double serverCores, double clientCores) {
        return new Outcome(
                answers.count() / seconds,
                answers.count() == 0 ? 0 : (double) hits / answers.count(),
                decided / seconds,
                deciderCores,
                serverCores,
                clientCores,
                answers.meanMicros(),
                answers.micros(0.5),
                answers.micros(0.99),
                stale.micros(0.99) / 1e3,
                failed,
                again);
    }
}
