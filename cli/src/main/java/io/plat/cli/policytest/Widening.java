package io.plat.cli.policytest;

import io.plat.engine.rbac.RbacRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The wider forms of a rule, by what is wider. */
final class Widening {
    private static final List<String> ALL = List.of(RbacRule.ALL);

    private Widening() {}

    static Map<String, RbacRule> of(RbacRule rule) {
        Map<String, RbacRule> wider = new LinkedHashMap<>();
        if (!rule.verbs().contains(RbacRule.ALL)) {
            wider.put("verbs *", with(rule, ALL, rule.resources(), rule.resourceNames(), rule.nonResourceUrls()));
        }
        if (!rule.resources().isEmpty() && !rule.resources().contains(RbacRule.ALL)) {
            wider.put("resources *", with(rule, rule.verbs(), ALL, rule.resourceNames(), rule.nonResourceUrls()));
        }
        if (!rule.resourceNames().isEmpty()) {
            wider.put("every name", with(rule, rule.verbs(), rule.resources(), List.of(), rule.nonResourceUrls()));
        }
        if (!rule.nonResourceUrls().isEmpty() && !rule.nonResourceUrls().contains(RbacRule.ALL)) {
            wider.put("every path", with(rule, rule.verbs(), rule.resources(), rule.resourceNames(), ALL));
        }
        return wider;
    }

    private static RbacRule with(
            RbacRule rule, List<String> verbs, List<String> resources, List<String> names, List<String> urls) {
        return new RbacRule(verbs, rule.apiGroups(), resources, names, urls, rule.where());
    }
}
