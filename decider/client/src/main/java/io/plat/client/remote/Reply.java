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

    /**
     * No answer.
     *
     * @param reason the problem, in one line
     * @param notBefore minimum delay that the decider requested before another attempt
     */
    record Failure<T>(Kind kind, String reason, Duration notBefore) implements Reply<T> {
        /** Creates a failure of a decider that requested no delay. */
        public Failure(Kind kind, String reason) {
            this(kind, reason, Duration.ZERO);
        }

        /** Returns whether another attempt may succeed, even with the same decider. */
        boolean isTemporary() {
            return kind == Kind.DOWN || kind == Kind.BUSY;
        }

        /** Returns the same failure, with the decider's address in its reason. */
        Failure<T> at(String address) {
            return new Failure<>(kind, address + ": " + reason, notBefore);
        }
    }

    /** Kinds of failures. */
    enum Kind {
        /** The decider is unreachable or unavailable for all requests; another attempt may succeed. */
        DOWN,
        /** The decider is unavailable for this request; another attempt may succeed. */
        BUSY,
        /** A permanent connection failure, such as an untrusted certificate. A retry with another decider may succeed. */
        UNUSABLE,
        /** No answer in time, and no time left. */
        TIMED_OUT,
        /** The request was refused, or its answer is invalid. A retry with the same decider is useless; with another one it may succeed. */
        FAILED
    }
}
