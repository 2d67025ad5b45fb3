package io.plat.engine.abac;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.Explained;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.PolicyNames;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import java.util.Objects;

/** The mode ABAC: allows what a line of the policy file allows, and has no opinion on the rest. */
public final class AbacAuthorizer implements Authorizer, Explainer {
    /** The name of this mode. */
    public static final String MODE = "ABAC";

    private static final Decision.NoOpinion NO_MATCH = new Decision.NoOpinion("No policy matched.");

    private final AbacIndex index;

    /** Decides by a compiled policy. */
    public AbacAuthorizer(AbacIndex index) {
        this.index = Objects.requireNonNull(index);
    }

    @Override
    public Decision authorize(Attributes attributes) {
        Decision.Allow allow = index.firstAllow(attributes);
        return allow == null ? NO_MATCH : allow;
    }

    @Override
    public Decision decideFromMemory(Attributes attributes) {
        return authorize(attributes);
    }

    @Override
    public Explained explain(Attributes attributes) {
        return new AbacExplanation(index, attributes).explained(authorize(attributes));
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        return AbacSubjects.of(index, access);
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        return AbacRules.of(index, user, namespace);
    }

    @Override
    public PolicyNames names() {
        return AbacSubjects.named(index);
    }
}
