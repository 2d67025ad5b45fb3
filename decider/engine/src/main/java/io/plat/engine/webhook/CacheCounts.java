package io.plat.engine.webhook;

import java.util.concurrent.atomic.LongAdder;

/** What happened to a cache of decisions since it was made. Safe for any number of threads. */
public final class CacheCounts {
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder evicted = new LongAdder();
    private final LongAdder expired = new LongAdder();
    private final LongAdder revoked = new LongAdder();
    private final LongAdder outdated = new LongAdder();

    CacheCounts() {}

    void hit() {
        hits.increment();
    }

    void missed() {
        misses.increment();
    }

    void evicted() {
        evicted.increment();
    }

    void expired() {
        expired.increment();
    }

    void revoked(long count) {
        revoked.add(count);
    }

    void outdated() {
        outdated.increment();
    }

    /** Questions whose decision was remembered. */
    public long hits() {
        return hits.sum();
    }

    /** Questions whose decision was not remembered; huge ones are not looked for and not counted. */
    public long misses() {
        return misses.sum();
    }

    /** Decisions that were dropped as there was no room. */
    public long evictions() {
        return evicted.sum();
    }

    /** Decisions that were dropped as their time was over, and somebody noticed. */
    public long expirations() {
        return expired.sum();
    }

    /** Decisions that were dropped because their decider's policy had changed. */
    public long revocations() {
        return revoked.sum();
    }

    /** Decisions that were not remembered, as they were made under another revision than the decider's stream had told. */
    public long outdatedAnswers() {
        return outdated.sum();
    }
}
