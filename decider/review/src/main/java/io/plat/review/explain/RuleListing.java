package io.plat.review.explain;

import java.util.List;
import java.util.StringJoiner;

/**
 * The response to a SelfSubjectRulesReview: a user's rules in one namespace. A request is allowed if and only if a rule covers it, unless the
 * listing is incomplete.
 *
 * @param resources rules for resources, without duplicates
 * @param paths rules for non-resource paths, without duplicates
 * @param unexplained members that could not enumerate their rules: there may be more rules
 */
public record RuleListing(
        BoundedList<ResourceRule> resources, BoundedList<PathRule> paths, List<UnexplainedAuthorizer> unexplained) {
    public static final RuleListing NOTHING = new RuleListing(BoundedList.none(), BoundedList.none(), List.of());

    public static final RuleListing EVERYTHING = new RuleListing(
            new BoundedList<>(List.of(ResourceRule.EVERYTHING), 0),
            new BoundedList<>(List.of(PathRule.EVERYTHING), 0),
            List.of());

    public RuleListing {
        unexplained = List.copyOf(unexplained);
    }

    /** Returns the listing of a member that cannot enumerate its rules. */
    public static RuleListing unknown(UnexplainedAuthorizer member) {
        return new RuleListing(BoundedList.none(), BoundedList.none(), List.of(member));
    }

    /** Returns whether the rules may be incomplete. */
    public boolean incomplete() {
        return !unexplained.isEmpty() || leftOut() > 0;
    }

    /** Returns the reason of incompleteness in one line; {@code ""} if complete. */
    public String error() {
        StringJoiner reasons = new StringJoiner("; ");
        unexplained.forEach(member -> reasons.add(member.authorizer() + ": " + member.reason()));
        if (leftOut() > 0) {
            reasons.add(leftOut() + " more rules are left out");
        }
        return reasons.toString();
    }

    /** Returns the length of the text of the rules, in characters. */
    public long length() {
        return resources.items().stream().mapToLong(ResourceRule::length).sum()
                + paths.items().stream().mapToLong(PathRule::length).sum();
    }

    private long leftOut() {
        return resources.leftOut() + paths.leftOut();
    }
}
