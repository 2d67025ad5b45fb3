package io.plat.engine.webhook;

import java.util.function.LongSupplier;

/**
 * How many questions may be asked again. Retries that every failing question may have would multiply the load on deciders that fail
 * because of their load. Safe for use by many threads.
 */
final class RetryBudget {
    /** The part of the questions that may be asked again. */
    static final double SHARE = 0.2;

    /** So many retries a second besides, for whoever asks little. */
    static final double A_SECOND = 10;

    /** What is saved up at most: as many as a server lets in at a time, as all of those fail together when a decider dies. */
    static final double MOST = 400;

    private final LongSupplier nanos;
    private double balance = MOST;
    private long at;

    /** A full budget. */
    RetryBudget(LongSupplier nanos) {
        this.nanos = nanos;
        this.at = nanos.getAsLong();
    }

    /** A question is asked for the first time. */
    synchronized void asked() {
        add(SHARE);
    }

    /** Whether one may be asked again; it is counted if so. */
    synchronized boolean retry() {
        add(0);
        if (balance < 1) {
            return false;
        }
        balance--;
        return true;
    }

    private void add(double earned) {
        long now = nanos.getAsLong();
        balance = Math.min(MOST, balance + earned + A_SECOND * (now - at) / 1e9);
        at = now;
    }
}
