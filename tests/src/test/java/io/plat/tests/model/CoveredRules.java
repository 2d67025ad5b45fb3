package io.plat.tests.model;

import io.plat.review.AccessAttributes;
import io.plat.review.ApiGroups;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import java.util.List;

/** Model of the coverage of rules in a listing, as a client interprets them. */
final class CoveredRules {
    private final RuleListing listing;
    private final boolean anySubresource;

    /**
     * The rules of a listing.
     *
     * @param anySubresource whether {@code pods/*} means all subresources of pods, as in a listing of policy lines
     */
    CoveredRules(RuleListing listing, boolean anySubresource) {
        this.listing = listing;
        this.anySubresource = anySubresource;
    }

    boolean cover(AccessAttributes access) {
        return switch (access) {
            case ResourceAttributes resource ->
                listing.resources().items().stream().anyMatch(rule -> covers(rule, resource));
            case NonResourceAttributes path -> listing.paths().items().stream().anyMatch(rule -> covers(rule, path));
        };
    }

    private boolean covers(ResourceRule rule, ResourceAttributes requested) {
        boolean group = rule.apiGroups().stream().anyMatch(one -> one.equals("*") || same(one, requested.group()));
        boolean named = rule.resourceNames().isEmpty()
                || (!requested.name().isEmpty() && rule.resourceNames().contains(requested.name()));
        return has(rule.verbs(), requested.verb())
                && group
                && named
                && rule.resources().stream().anyMatch(one -> covers(one, requested));
    }

    private boolean covers(String written, ResourceAttributes requested) {
        String sub = requested.subresource();
        return written.equals("*")
                || written.equals(sub.isEmpty() ? requested.resource() : requested.resource() + "/" + sub)
                || (!sub.isEmpty() && written.equals("*/" + sub))
                || (anySubresource && !sub.isEmpty() && written.equals(requested.resource() + "/*"));
    }

    private static boolean covers(PathRule rule, NonResourceAttributes requested) {
        return has(rule.verbs(), requested.verb())
                && rule.paths().stream()
                        .anyMatch(path -> path.endsWith("*")
                                ? requested.path().startsWith(path.substring(0, path.length() - 1))
                                : path.equals(requested.path()));
    }

    private static boolean has(List<String> verbs, String verb) {
        return verbs.contains("*") || verbs.contains(verb);
    }

    private static boolean same(String one, String other) {
        return ApiGroups.canonical(one).equals(ApiGroups.canonical(other));
    }
}
