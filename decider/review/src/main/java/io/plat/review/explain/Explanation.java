package io.plat.review.explain;

import java.util.Objects;

/**
 * The answer to an AccessExplanation: a decision, and what it goes by.
 *
 * @param allowed the decision
 * @param reason the reason given with it
 * @param findings what was found; grants exactly where it is allowed
 */
public record Explanation(boolean allowed, String reason, Findings findings) {
    public Explanation {
        Objects.requireNonNull(reason);
        if (allowed == findings.grants().items().isEmpty()) {
            throw new IllegalArgumentException(allowed ? "allowed by nothing" : "granted and not allowed");
        }
    }
}
