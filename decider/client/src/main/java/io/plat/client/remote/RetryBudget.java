package io.plat.client.remote;

import java.util.function.LongSupplier;

/** Budget for retries. Retrying every failed request would multiply the load of overloaded deciders. Thread-safe. */
final class RetryBudget {
    /** Share of requests that may be retried. */
    static final double SHARE = 0.2;

    /** Additional retries per second, for clients with few requests. */
    static final double PER_SECOND = 10;

    /** Maximum saved budget: the maximum number of requests in flight, which fail together when a decider dies. */
    static final double MAX = 400;

    private final LongSupplier nanos;
    private double balance = MAX;
    private long updatedAt;

    /** Creates a full budget. */
    RetryBudget(LongSupplier nanos) {
        this.nanos = nanos;
        this.updatedAt = nanos.getAsLong();
    }

    /** Records a first attempt. */
    synchronized void recordRequest() {
        add(SHARE);
    }

    /** Takes one retry from the budget; returns false if it is exhausted. */
    synchronized boolean tryAcquire() {
        add(0);
        if (balance < 1) {
            return false;
        }
        balance--;
        return true;
    }

    private void add(double credit) {
        long now = nanos.getAsLong();
        balance = Math.min(MAX, balance + credit + PER_SECOND * (now - updatedAt) / 1e9);
        updatedAt = now;
    }
}
