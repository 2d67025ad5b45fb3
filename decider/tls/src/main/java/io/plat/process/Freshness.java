package io.plat.process;

import java.time.Duration;

/**
 * Freshness of a component's state that is derived in the background: whether it reflects every change that it was notified of. Checking it costs a
 * volatile read. Thread-safe.
 */
public final class Freshness {
    /** Maximum lag of state in the same process before decisions must not use it. */
    public static final Duration BOUND = Duration.ofSeconds(1);

    private final String component;
    private final long bound;
    private long changes;
    private long begunChanges;
    private long begunAt;

    /** The time of the oldest change that may not be applied, by {@link System#nanoTime}; 0 if all are applied. */
    private volatile long behindSince = now();

    /**
     * Creates the freshness of a component that has not caught up yet.
     *
     * @param component its name, as readiness shows it
     * @param bound how long it may be behind and count as current
     */
    public Freshness(String component, Duration bound) {
        this.component = component;
        this.bound = bound.toNanos();
    }

    public String component() {
        return component;
    }

    /** Returns the maximum time for which the state may be behind, or unconfirmed, and count as current. */
    public Duration bound() {
        return Duration.ofNanos(bound);
    }

    private static long now() {
        return System.nanoTime() | 1;
    }

    /** Records a change to apply, or the loss of the state. */
    public synchronized void changed() {
        changes++;
        if (behindSince == 0) {
            behindSince = now();
        }
    }

    /** Begins to apply all changes notified so far. Called by the one thread that applies. */
    synchronized void begin() {
        begunChanges = changes;
        begunAt = now();
    }

    /** Records that all changes up to the last {@link #begin} are applied. */
    synchronized void caughtUp() {
        behindSince = changes == begunChanges ? 0 : begunAt;
    }

    /**
     * Records that the state was current at a time, so that it counts as current for the bound from then on: for state that has to be confirmed
     * periodically.
     *
     * @param at by {@link System#nanoTime}
     */
    public void confirmed(long at) {
        behindSince = at | 1;
    }

    /** Returns whether the component is current, or has been behind for less than the bound. */
    public boolean isCurrent() {
        long since = behindSince;
        return since == 0 || System.nanoTime() - since < bound;
    }
}
