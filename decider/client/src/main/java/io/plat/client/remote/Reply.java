package io.plat.client.remote;

import java.time.Duration;

/**
 * Result of one request to a remote decider.
 *
 * @param <T> the response
 */
public sealed interface Reply<T> {
    /**
     * The decider answered.
     *
     * @param revision the policy of the answer, or {@code ""}
     */
    record Answered<T>(T answer, String revision) implements Reply<T> {}

    /** No answer. */
    sealed interface Failure<T> extends Reply<T> {
        /** Returns the problem, in one line. */
        String reason();
    }

    /**
     * The decider is unreachable or unavailable; another attempt may succeed.
     *
     * @param reason one line
     * @param notBefore minimum delay that it requested
     * @param down whether it is unavailable for all requests
     */
    record Unavailable<T>(String reason, Duration notBefore, boolean down) implements Failure<T> {}

    /**
     * A permanent connection failure, such as an untrusted certificate. A retry with another decider may succeed.
     *
     * @param reason one line
     */
    record Unusable<T>(String reason) implements Failure<T> {}

    /** No answer in time, and no time left. */
    record TimedOut<T>(String reason) implements Failure<T> {}

    /**
     * A permanent failure, for which retries are useless.
     *
     * @param reason one line
     */
    record Failed<T>(String reason) implements Failure<T> {}
}
