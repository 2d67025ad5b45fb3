package io.plat.engine.webhook;

import io.plat.review.ReviewStatus;
import java.time.Duration;

/** What became of one attempt to ask a remote decider. */
sealed interface Reply {
    /**
     * It answered the question.
     *
     * @param revision the policy that it was decided by, or {@code ""}
     */
    record Answered(ReviewStatus status, String revision) implements Reply {}

    /**
     * It can't be reached or is not able to answer; another attempt may fare better.
     *
     * @param reason one line
     * @param notBefore how long it asks to be left alone
     */
    record Unavailable(String reason, Duration notBefore) implements Reply {}

    /**
     * No answer, and asking again would not change that.
     *
     * @param reason one line
     */
    record Failed(String reason) implements Reply {}
}
