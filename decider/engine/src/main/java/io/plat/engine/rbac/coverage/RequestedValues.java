package io.plat.engine.rbac.coverage;

import io.plat.engine.rbac.RbacRule;
import io.plat.review.ApiGroups;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Filter for held rules that can cover a requested rule. */
final class RequestedValues {
    final Set<String> verbs = new HashSet<>(Set.of(RbacRule.ALL));
    final Set<String> groups = new HashSet<>(Set.of(RbacRule.ALL));
    final Set<String> resources = new HashSet<>(Set.of(RbacRule.ALL));
    final Set<String> names = new HashSet<>();
    final Set<String> urls = new HashSet<>();

    RequestedValues(Collection<RbacRule> wanted) {
        for (RbacRule rule : wanted) {
            verbs.addAll(rule.verbs());
            rule.apiGroups().forEach(group -> groups.add(ApiGroups.canonical(group)));
            for (String resource : rule.resources()) {
                resources.add(resource);
                resources.add(ofAnyResource(resource));
            }
            names.addAll(rule.resourceNames());
            urls.addAll(rule.nonResourceUrls());
        }
    }

    /** Returns the resource that covers a subresource for every resource; for a resource without a subresource, itself. */
    static String ofAnyResource(String resource) {
        int slash = resource.indexOf('/');
        return slash < 0 ? resource : "*" + resource.substring(slash);
    }

    /** Returns whether a held rule can cover any requested rule. */
    boolean concern(RbacRule held) {
        return any(held.verbs(), verbs)
                && (!held.nonResourceUrls().isEmpty()
                        || (held.apiGroups().stream().anyMatch(group -> groups.contains(ApiGroups.canonical(group)))
                                && any(held.resources(), resources)));
    }

    private static boolean any(List<String> values, Set<String> wanted) {
        return values.stream().anyMatch(wanted::contains);
    }
}
