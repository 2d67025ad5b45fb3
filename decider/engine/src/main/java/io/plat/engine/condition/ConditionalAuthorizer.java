package io.plat.engine.condition;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.condition.RequestMatcher.Match;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.Findings;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An authorizer for the requests that a matcher includes. It has no opinion on excluded requests; if the matcher fails, the decision is
 * undecided.
 *
 * @param name its name in messages
 */
public record ConditionalAuthorizer(String name, RequestMatcher matcher, Authorizer authorizer)
        implements Authorizer, Explainer {
    @Override
    public Decision authorize(Attributes attributes) {
        return conditional(attributes, () -> authorizer.authorize(attributes));
    }

    /**
     * {@inheritDoc}
     *
     * <p>The matcher is called only once per request: if the result is null, it has not been called yet.
     */
    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        Decision known = authorizer.decideFromMemory(attributes);
        return known == null ? null : conditional(attributes, () -> known);
    }

    private Decision conditional(Attributes attributes, Supplier<Decision> included) {
        return switch (matcher.match(attributes)) {
            case Match.Included() -> included.get();
            case Match.Excluded() -> NoOpinion.SILENT;
            case Match.Failed(String reason) -> new Undecided(Cause.FAILED, reason);
        };
    }

    @Override
    public ExplainedDecision explain(Attributes attributes) {
        return switch (matcher.match(attributes)) {
            case Match.Included() -> Explainer.of(name, authorizer).explain(attributes);
            case Match.Excluded() -> new ExplainedDecision(NoOpinion.SILENT, Findings.NOTHING);
            case Match.Failed(String reason) ->
                ExplainedDecision.unexplained(
                        new Undecided(Cause.FAILED, reason), new UnexplainedAuthorizer(name, reason));
        };
    }

    @Override
    public SubjectListing subjects(AccessAttributes access) {
        SubjectListing listing = Explainer.of(name, authorizer).subjects(access);
        List<UnexplainedAuthorizer> unexplained = new ArrayList<>(listing.unexplained());
        unexplained.add(new UnexplainedAuthorizer(name, "it applies only to requests that meet its match conditions"));
        return new SubjectListing(listing.subjects(), unexplained);
    }

    @Override
    public RuleListing rules(UserInfo user, String namespace) {
        return Explainer.of(name, authorizer).rules(user, namespace);
    }
}
