package io.plat.engine.always;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;

/** Authorizer with a constant decision. */
abstract sealed class ConstantAuthorizer implements Authorizer, Explainer permits AlwaysAllow, AlwaysDeny {
    private final Decision decision;
    private final SubjectListing subjects;
    private final RuleListing rules;

    ConstantAuthorizer(Decision decision, SubjectListing subjects, RuleListing rules) {
        this.decision = decision;
        this.subjects = subjects;
        this.rules = rules;
    }

    @Override
    public final Decision authorize(Attributes attributes) {
        return decision;
    }

    @Override
    public final Decision decideFromMemory(Attributes attributes) {
        return decision;
    }

    @Override
    public final ExplainedDecision explain(Attributes attributes) {
        return ExplainedDecision.of(decision);
    }

    @Override
    public final SubjectListing subjects(AccessAttributes access) {
        return subjects;
    }

    @Override
    public final RuleListing rules(UserInfo user, String namespace) {
        return rules;
    }
}
