package io.plat.engine.explain;

import io.plat.engine.Decision;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Findings;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.List;

/**
 * A decision with its findings.
 *
 * @param decision the authorizer's own decision
 * @param findings the findings in the same state of the policy; they have grants if and only if the decision is an allow
 */
public record ExplainedDecision(Decision decision, Findings findings) {
    public ExplainedDecision {
        boolean allowed = decision instanceof Decision.Allow;
        if (allowed == findings.grants().items().isEmpty()) {
            throw new IllegalArgumentException(allowed ? "allowed by nothing" : "granted and not allowed");
        }
    }

    /** Returns a decision explained only by its own grant, for access that no policy object grants. */
    public static ExplainedDecision of(Decision decision) {
        return new ExplainedDecision(decision, Findings.of(decision.grants()));
    }

    /** Returns a decision of a member whose policy is unknown: only its own grant explains it. */
    public static ExplainedDecision unexplained(Decision decision, UnexplainedAuthorizer member) {
        return new ExplainedDecision(
                decision, new Findings(decision.grants(), BoundedList.none(), null, List.of(member)));
    }
}
