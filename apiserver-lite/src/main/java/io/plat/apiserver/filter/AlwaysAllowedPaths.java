package io.plat.apiserver.filter;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.engine.explain.DelegatingExplainer;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.MergedFindings;
import io.plat.engine.explain.RuleCollector;
import io.plat.engine.explain.SubjectCollector;
import io.plat.engine.union.CompositeAuthorizer;
import io.plat.engine.union.Member;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Authorizer that allows everyone some non-resource paths ({@code --authorization-always-allow-paths}), such as health checks of a load
 * balancer, and delegates everything else.
 *
 * @param patterns paths; a trailing {@code *} matches any suffix
 * @param others decides all other requests
 */
public record AlwaysAllowedPaths(List<String> patterns, Authorizer others)
        implements Authorizer, DelegatingExplainer, CompositeAuthorizer {
    private static final Decision.Allow ALLOWED = FixedGrant.allow(
            "AlwaysAllowedPaths",
            "--authorization-always-allow-paths",
            "allowed by --authorization-always-allow-paths");

    public AlwaysAllowedPaths {
        patterns = List.copyOf(patterns);
    }

    @Override
    public List<Member> parts() {
        return List.of(new Member("the authorizer", others));
    }

    @Override
    public Decision authorize(Attributes attributes) {
        return allows(attributes.access()) ? ALLOWED : others.authorize(attributes);
    }

    private boolean allows(AccessAttributes requested) {
        return requested instanceof NonResourceAttributes access
                && patterns.stream().anyMatch(access::isMatchedBy);
    }

    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        return allows(attributes.access()) ? ALLOWED : others.decideFromMemory(attributes);
    }

    @Override
    public ExplainedDecision explain(Attributes attributes) {
        ExplainedDecision byOthers = explainer().explain(attributes);
        if (!allows(attributes.access())) {
            return byOthers;
        }
        MergedFindings merged = new MergedFindings();
        merged.add(ExplainedDecision.of(ALLOWED).findings());
        merged.add(byOthers.findings());
        return merged.with(ALLOWED);
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        SubjectListing byOthers = explainer().subjects(access);
        if (!allows(access)) {
            return byOthers;
        }
        SubjectCollector subjects = new SubjectCollector();
        subjects.add(SubjectName.EVERYBODY, ALLOWED.grant().named());
        subjects.addAll(byOthers);
        return subjects.listing();
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        RuleCollector rules = new RuleCollector();
        rules.add(new PathRule(List.of("*"), patterns));
        rules.addAll(explainer().rules(user, namespace));
        return rules.listing();
    }

    @Override
    public Explainer explainer() {
        return Explainer.of("the authorizer", others);
    }
}
