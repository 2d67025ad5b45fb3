package io.plat.engine.abac;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.PolicyNames;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import java.util.Collection;
import java.util.SortedSet;

/** The ABAC mode: allows requests that match a line of the policy file, and has no opinion on others. */
public final class AbacAuthorizer implements Authorizer, Explainer {
    public static final String MODE = "ABAC";

    private static final Decision.NoOpinion NO_MATCH = new Decision.NoOpinion("No policy matched.");

    private final PolicyLines lines;

    /** Creates an authorizer for a compiled policy. */
    public AbacAuthorizer(AbacIndex index) {
        this((PolicyLines) index);
    }

    private AbacAuthorizer(PolicyLines lines) {
        this.lines = lines;
    }

    /**
     * Creates an authorizer without an index: each decision scans the whole policy, but the first one is available sooner. Decisions and
     * explanations are the same as with an index.
     */
    public static AbacAuthorizer unindexed(AbacPolicy policy) {
        return new AbacAuthorizer(new ScannedLines(policy));
    }

    /** Returns the policy. */
    public AbacPolicy policy() {
        return new AbacPolicy(lines.allows().stream()
                .map(allow -> ((AbacGrant) allow.grant()).line())
                .toList());
    }

    @Override
    public Decision authorize(Attributes attributes) {
        Decision.Allow allow = lines.firstAllow(attributes);
        return allow == null ? NO_MATCH : allow;
    }

    @Override
    public Decision decideFromMemory(Attributes attributes) {
        return authorize(attributes);
    }

    @Override
    public ExplainedDecision explain(Attributes attributes) {
        return new AbacExplanation(lines, attributes).explained(authorize(attributes));
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        return AbacSubjects.of(lines, access);
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        return AbacRules.of(lines, user, namespace);
    }

    @Override
    public PolicyNames names() {
        return AbacSubjects.named(lines);
    }

    @Override
    public SortedSet<SubjectName> holders(Collection<? extends AccessAttributes> any) {
        return AbacSubjects.holders(lines, any);
    }
}
