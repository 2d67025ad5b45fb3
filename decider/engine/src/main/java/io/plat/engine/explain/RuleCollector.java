package io.plat.engine.explain;

import io.plat.review.explain.BoundedList;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Collector of the rules of a user, without duplicates. Not thread-safe. */
public final class RuleCollector {
    private final Set<ResourceRule> resources = new LinkedHashSet<>();
    private final Set<PathRule> paths = new LinkedHashSet<>();
    private final List<UnexplainedAuthorizer> unexplained = new ArrayList<>();
    private long resourcesLeftOut;
    private long pathsLeftOut;

    public void add(ResourceRule rule) {
        resources.add(rule);
    }

    public void add(PathRule rule) {
        paths.add(rule);
    }

    /** Adds the listing of a member. */
    public void addAll(RuleListing listing) {
        resources.addAll(listing.resources().items());
        paths.addAll(listing.paths().items());
        resourcesLeftOut += listing.resources().leftOut();
        pathsLeftOut += listing.paths().leftOut();
        unexplained.addAll(listing.unexplained());
    }

    /**
     * Returns all rules, in insertion order.
     *
     * @param unknown other members that cannot enumerate their rules
     */
    public RuleListing listing(List<UnexplainedAuthorizer> unknown) {
        List<UnexplainedAuthorizer> all = new ArrayList<>(unexplained);
        all.addAll(unknown);
        return new RuleListing(
                bounded(resources, ResourceRule::length, resourcesLeftOut),
                bounded(paths, PathRule::length, pathsLeftOut),
                all);
    }

    /** Returns all rules, in insertion order. */
    public RuleListing listing() {
        return listing(List.of());
    }

    private static <T> BoundedList<T> bounded(Set<T> rules, ToLongFunction<T> length, long leftOut) {
        List<T> reported = new ArrayList<>();
        long text = 0;
        for (T rule : rules) {
            text += length.applyAsLong(rule);
            if (reported.size() == Explainer.MAX_RULES || text > Explainer.MAX_RULE_TEXT) {
                break;
            }
            reported.add(rule);
        }
        return new BoundedList<>(reported, rules.size() - reported.size() + leftOut);
    }
}
