package io.plat.review.explain;

import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * The answer to a SelfSubjectRulesReview: what a user may do in one namespace. What the rules cover is allowed there; what is
 * allowed is covered, unless the listing is incomplete.
 *
 * @param resources what is allowed on resources, each rule once
 * @param paths what is allowed on other paths, each rule once
 * @param unexplained members of what decides that could not say what they allow: there may be more rules
 */
public record RuleListing(Bounded<ResourceRule> resources, Bounded<PathRule> paths, List<Unexplained> unexplained) {
    /** Nothing is allowed. */
    public static final RuleListing NOTHING = new RuleListing(Bounded.none(), Bounded.none(), List.of());

    /** Everything is allowed. */
    public static final RuleListing EVERYTHING = new RuleListing(
            new Bounded<>(List.of(ResourceRule.EVERYTHING), 0),
            new Bounded<>(List.of(PathRule.EVERYTHING), 0),
            List.of());

    public RuleListing {
        Objects.requireNonNull(resources);
        Objects.requireNonNull(paths);
        unexplained = List.copyOf(unexplained);
    }

    /** Whether more may be allowed than the rules say. */
    public boolean incomplete() {
        return !unexplained.isEmpty() || leftOut() > 0;
    }

    /** Why it is incomplete, in one line; {@code ""} where it is not. */
    public String error() {
        StringJoiner reasons = new StringJoiner("; ");
        unexplained.forEach(member -> reasons.add(member.authorizer() + ": " + member.reason()));
        if (leftOut() > 0) {
            reasons.add(leftOut() + " further rules are left out");
        }
        return reasons.toString();
    }

    private long leftOut() {
        return resources.leftOut() + paths.leftOut();
    }
}
