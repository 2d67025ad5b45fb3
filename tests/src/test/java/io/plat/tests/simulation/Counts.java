package io.plat.tests.simulation;

/** Counters of a running fleet. */
final class Counts {
    private final LatencyHistogram answers = new LatencyHistogram();
    private final LatencyHistogram stale = new LatencyHistogram();
    private long hits;
    private long failed;
    private long retries;

    void hit() {
        hits++;
    }

    void failed() {
        failed++;
    }

    void retry() {
        retries++;
    }

    void answered(long nanos) {
        answers.add(nanos);
    }

    void stale(long nanos) {
        stale.add(nanos);
    }

    /** Resets the counters, after warm-up. */
    void clear() {
        answers.clear();
        stale.clear();
        hits = 0;
        failed = 0;
        retries = 0;
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
                retries);
    }
}
