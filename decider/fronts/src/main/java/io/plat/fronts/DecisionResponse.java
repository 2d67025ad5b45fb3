package io.plat.fronts;

import io.plat.engine.Decision;
import io.plat.review.ReviewStatus;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;

/** Response for a decision: the status of a review, or a failure of the whole request. */
public sealed interface DecisionResponse {
    record Answered(ReviewStatus status) implements DecisionResponse {}

    /** The request could not be decided. */
    record Failed(Status status) implements DecisionResponse {}

    /**
     * Returns the response for a decision.
     *
     * @param reasons whether the client receives the reason
     */
    static DecisionResponse of(Decision decision, boolean reasons) {
        return switch (decision) {
            case Decision.Allow allow -> new Answered(ReviewStatus.of(true, reasons ? allow.reason() : ""));
            case Decision.Deny deny -> new Answered(ReviewStatus.of(false, reasons ? deny.reason() : ""));
            case Decision.NoOpinion silent -> new Answered(ReviewStatus.of(false, reasons ? silent.reason() : ""));
            case Decision.Undecided undecided -> new Failed(failure(undecided, reasons));
        };
    }

    /**
     * Returns the failure for a decision that could not be made.
     *
     * @param reasons whether the client receives the reason
     */
    static Status failure(Decision.Undecided undecided, boolean reasons) {
        String detail = reasons && !undecided.reason().isEmpty() ? ": " + undecided.reason() : "";
        return switch (undecided.cause()) {
            case FAILED -> Status.of(StatusReason.INTERNAL_ERROR, "the request could not be decided" + detail);
            case NOT_LOADED ->
                Status.of(StatusReason.SERVICE_UNAVAILABLE, "the policy has not been loaded yet" + detail)
                        .withRetryAfter(1);
        };
    }
}
