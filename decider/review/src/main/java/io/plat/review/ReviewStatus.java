package io.plat.review;

/**
 * Response to a review.
 *
 * @param allowed whether the action is allowed; always written out
 * @param denied whether it is denied for good; never sent by this product, read from other deciders
 * @param reason the reason, or {@code ""}
 * @param evaluationError an error during evaluation, or {@code ""}
 */
public record ReviewStatus(boolean allowed, boolean denied, String reason, String evaluationError) {
    /** Returns a response without an error. */
    public static ReviewStatus of(boolean allowed, String reason) {
        return new ReviewStatus(allowed, false, reason, "");
    }
}
