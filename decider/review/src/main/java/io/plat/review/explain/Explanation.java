package io.plat.review.explain;

/**
 * The response to an AccessExplanation: a decision and its explanation.
 *
 * @param allowed the decision
 * @param findings the findings; they have grants if and only if it is allowed
 */
public record Explanation(boolean allowed, String reason, Findings findings) {
    public Explanation {
        if (allowed == findings.grants().items().isEmpty()) {
            throw new IllegalArgumentException(allowed ? "allowed by nothing" : "granted and not allowed");
        }
    }
}
