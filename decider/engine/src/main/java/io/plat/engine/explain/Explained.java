package io.plat.engine.explain;

import io.plat.engine.Decision;
import io.plat.review.explain.Findings;
import java.util.Objects;

/**
 * A decision with what it goes by.
 *
 * @param decision the authorizer's own decision
 * @param findings what was found by the same state of the policy; grants exactly where the decision is an allow
 */
public record Explained(Decision decision, Findings findings) {
    public Explained {
        Objects.requireNonNull(decision);
        boolean allowed = decision instanceof Decision.Allow;
        if (allowed == findings.grants().items().isEmpty()) {
            throw new IllegalArgumentException(allowed ? "allowed by nothing" : "granted and not allowed");
        }
    }

    /** A decision that goes by its own grant, or by nothing: what stands in no policy. */
    public static Explained of(Decision decision) {
        return new Explained(decision, Findings.of(NamedGrants.of(decision)));
    }
}
