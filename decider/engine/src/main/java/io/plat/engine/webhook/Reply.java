package io.plat.engine.webhook;

import java.time.Duration;

/**
 * What became of one attempt to ask a remote decider.
 *
 * @param <T> what it answers
 */
sealed interface Reply<T> {
    /**
     * It answered the question.
     *
     * @param revision the policy that it was answered by, or {@code ""}
     */
    record Answered<T>(T answer, String revision) implements Reply<T> {}

    /** No answer. */
    sealed interface Failure<T> extends Reply<T> {
        /** What was wrong, in one line. */
        String reason();
    }

    /**
     * It can't be reached or is not able to answer; another attempt may fare better.
     *
     * @param reason one line
     * @param notBefore how long it asks to be left alone
     * @param down whether it answers nobody now, and not this question alone
     */
    record Unavailable<T>(String reason, Duration notBefore, boolean down) implements Failure<T> {}

    /**
     * It can't be talked to, as with a certificate that is not trusted. Asking it again would not change that, asking another one may.
     *
     * @param reason one line
     */
    record Unusable<T>(String reason) implements Failure<T> {}

    /** No answer in time, and no time left. */
    record TimedOut<T>(String reason) implements Failure<T> {}

    /**
     * No answer, and asking again would not change that.
     *
     * @param reason one line
     */
    record Failed<T>(String reason) implements Failure<T> {}
}
