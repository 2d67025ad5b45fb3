package io.plat.engine.rbac.follow;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Timing of a follower.
 *
 * @param answer time limit for a chunk of a list
 * @param watch maximum duration of a watch, shortened randomly so that many do not end together
 * @param silence how much longer than requested a watch may be silent: detects half-open connections
 * @param shortest a watch that ended sooner without an event counts as a failure
 * @param firstPause delay after the first failure
 * @param longestPause maximum delay after any number of failures
 * @param pauseAtStart maximum delay until the initial load, so that servers that start together connect soon
 */
record Timing(
        Duration answer,
        Duration watch,
        Duration silence,
        Duration shortest,
        Duration firstPause,
        Duration longestPause,
        Duration pauseAtStart) {
    /** Default: the age of the policy is known to within a minute, for four requests a minute. */
    static final Timing DEFAULT = new Timing(
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            Duration.ofMillis(100),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1));

    private static final double LEAST_PART = 0.75;

    Timing {
        if (watch.toSeconds() < 1
                || !firstPause.isPositive()
                || longestPause.compareTo(firstPause) < 0
                || !answer.isPositive()) {
            throw new IllegalArgumentException("not a timing");
        }
    }

    /** Returns a timing that keeps the age of the policy within a limit as long as the server responds. */
    static Timing within(Duration limit) {
        long watch = Math.clamp(limit.toMillis() / 3, 1000, DEFAULT.watch.toMillis());
        return new Timing(
                DEFAULT.answer,
                Duration.ofMillis(watch),
                DEFAULT.silence,
                Duration.ofMillis(Math.min(watch / 4, DEFAULT.shortest.toMillis())),
                DEFAULT.firstPause,
                DEFAULT.longestPause,
                DEFAULT.pauseAtStart);
    }

    /**
     * Returns the delay after consecutive failures: at least half of a bound that doubles with each, plus a random part of the rest, so that clients
     * do not reconnect at the same time.
     *
     * @param random supplies numbers from 0 to 1
     */
    Duration pause(int failures, DoubleSupplier random) {
        double bound = Math.min((double) longestPause.toNanos(), firstPause.toNanos() * Math.pow(2, failures - 1));
        return Duration.ofNanos((long) (bound * (1 + random.getAsDouble()) / 2));
    }

    /** Returns the duration to request for the next watch, in seconds. */
    long watchSeconds(DoubleSupplier random) {
        return Math.max(1, Math.round(watch.toSeconds() * (LEAST_PART + (1 - LEAST_PART) * random.getAsDouble())));
    }
}
