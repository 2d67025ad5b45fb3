package io.plat.engine.abac;

import io.plat.engine.Decision;
import io.plat.engine.explain.RuleCollector;
import io.plat.review.UserInfo;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import java.util.List;

/** Rules that a policy file grants one user in one namespace, found by scanning every line. */
final class AbacRules {
    private static final List<String> READING = List.of("get", "list", "watch");
    private static final List<String> ANY = List.of(AbacLine.ANY);

    private AbacRules() {}

    static RuleListing of(PolicyLines policy, UserInfo user, String namespace) {
        RuleCollector rules = new RuleCollector();
        for (Decision.Allow allow : policy.allows()) {
            AbacLine line = AbacExplanation.lineOf(allow);
            if (LineMismatches.ofUser(line, user) == 0) {
                add(line, namespace, rules);
            }
        }
        return rules.listing();
    }

    private static void add(AbacLine line, String namespace, RuleCollector rules) {
        List<String> verbs = line.readonly() ? READING : ANY;
        boolean here = line.namespace().equals(AbacLine.ANY) || line.namespace().equals(namespace);
        if (here && isResource(line.resource())) {
            rules.add(new ResourceRule(verbs, List.of(line.apiGroup()), resources(line.resource()), List.of()));
        }
        if (!line.nonResourcePath().isEmpty()) {
            rules.add(new PathRule(verbs, List.of(line.nonResourcePath())));
        }
    }

    /** Returns whether a line's resource can match. One with a subresource matches nothing, although the same rule would. */
    private static boolean isResource(String resource) {
        return !resource.isEmpty() && resource.indexOf('/') < 0;
    }

    /** Returns the resource patterns; a line covers all subresources of its resource. */
    private static List<String> resources(String resource) {
        return resource.equals(AbacLine.ANY) ? ANY : List.of(resource, resource + "/*");
    }
}
