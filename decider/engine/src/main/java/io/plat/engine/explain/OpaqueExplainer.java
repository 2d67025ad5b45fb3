package io.plat.engine.explain;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.UnexplainedAuthorizer;

/** Explainer of an authorizer that cannot explain: it reports only the decision, and the authorizer's name. */
record OpaqueExplainer(String name, Authorizer authorizer) implements Explainer {
    @Override
    public ExplainedDecision explain(Attributes attributes) {
        Decision decision = authorizer.authorize(attributes);
        return ExplainedDecision.unexplained(decision, new UnexplainedAuthorizer(name, cause(decision)));
    }

    private static String cause(Decision decision) {
        return decision instanceof Decision.Undecided undecided
                        && !undecided.reason().isEmpty()
                ? undecided.reason()
                : "it does not explain its decisions";
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        return SubjectListing.unknown(
                new UnexplainedAuthorizer(name, "it cannot enumerate the subjects that it allows"));
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        return RuleListing.unknown(new UnexplainedAuthorizer(name, "it cannot enumerate rules"));
    }
}
