package io.plat.client.remote;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Delays between attempts: increasing, with jitter, so that many servers do not return to a decider at the same time.
 *
 * @param first the delay after the first attempt
 * @param factor growth of each delay, at least 1
 * @param jitter maximum random extension as a part of the delay, from 0 to 1
 * @param attempts maximum number of attempts per request
 */
public record Backoff(Duration first, double factor, double jitter, int attempts) {
    /** Default, with which several attempts fit into the default deadline of three seconds. */
    public static final Backoff DEFAULT = new Backoff(Duration.ofMillis(100), 2, 0.2, 5);

    public Backoff {
        if (first.isNegative() || factor < 1 || jitter < 0 || jitter > 1 || attempts < 1) {
            throw new IllegalArgumentException("not a backoff: " + first + ", " + factor + ", " + jitter);
        }
    }

    /**
     * Returns the delay after an attempt.
     *
     * @param attempt counted from 1
     * @param random supplies numbers from 0 to 1
     */
    public Duration after(int attempt, DoubleSupplier random) {
        double stretched = first.toNanos() * Math.pow(factor, attempt - 1) * (1 + jitter * random.getAsDouble());
        return Duration.ofNanos((long) stretched);
    }
}
