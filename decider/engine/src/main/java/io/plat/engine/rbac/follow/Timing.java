package io.plat.engine.rbac.follow;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How long things take.
 *
 * @param answer the most time of a chunk of a list
 * @param watch how long a watch lasts at most; each is asked for a little less, so that many do not end together
 * @param silence how much longer than it was asked for a watch may say nothing: a peer that is half open ends here
 * @param shortest a watch that ended sooner, and told nothing, counts as one that failed
 * @param firstPause what is waited after a failure
 * @param longestPause what is waited at most, however often it failed
 * @param pauseAtStart the same until everything was loaded once: servers that start together shall find each other soon
 */
record Timing(
        Duration answer,
        Duration watch,
        Duration silence,
        Duration shortest,
        Duration firstPause,
        Duration longestPause,
        Duration pauseAtStart) {
    /** The age of the policy is known to within a minute, for four requests a minute. */
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

    /** Times by which a limit on the age of the policy is met as long as the server answers. */
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
     * What is waited after some failures in a row: at least half of a bound that doubles with each, and a random part of the rest, so that
     * those who lost one server do not return to it in step.
     *
     * @param random gives numbers from 0 to 1
     */
    Duration pause(int failures, DoubleSupplier random) {
        double bound = Math.min((double) longestPause.toNanos(), firstPause.toNanos() * Math.pow(2, failures - 1));
        return Duration.ofNanos((long) (bound * (1 + random.getAsDouble()) / 2));
    }

    /** How many seconds the next watch is asked for. */
    long watchSeconds(DoubleSupplier random) {
        return Math.max(1, Math.round(watch.toSeconds() * (LEAST_PART + (1 - LEAST_PART) * random.getAsDouble())));
    }
}
