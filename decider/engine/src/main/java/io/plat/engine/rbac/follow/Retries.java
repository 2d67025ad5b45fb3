package io.plat.engine.rbac.follow;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * What is waited after one failure after another: twice as long each time up to a bound, and then a random part of it, so that those
 * who lost one server do not return to it in step. For one thread.
 */
final class Retries {
    private final Duration first;
    private final Duration longest;
    private final DoubleSupplier random;
    private int failures;

    /**
     * No failure yet.
     *
     * @param random gives numbers from 0 to 1
     */
    Retries(Duration first, Duration longest, DoubleSupplier random) {
        this.first = first;
        this.longest = longest;
        this.random = random;
    }

    /** A further failure: what to wait now, at least half of the bound that holds by now. */
    Duration next() {
        double bound = Math.min((double) longest.toNanos(), first.toNanos() * Math.pow(2, failures));
        failures++;
        return Duration.ofNanos((long) (bound * (1 + random.getAsDouble()) / 2));
    }

    /** It works again. */
    void reset() {
        failures = 0;
    }
}
