package io.plat.cli.policytest;

import io.plat.cli.policy.PolicyDocuments;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacIndex;
import io.plat.engine.abac.AbacLine;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.review.Attributes;
import io.plat.review.source.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A rule of a role, or a line: the smallest removable part of a policy.
 *
 * @param name its location and text
 * @param alone its own grants, without the rest of the policy
 * @param widened the grants of wider variants, each in one side
 */
record PolicyUnit(String name, Predicate alone, List<Variant> widened) {
    private static final List<String> ALL = List.of(RbacRule.ALL);

    PolicyUnit {
        widened = List.copyOf(widened);
    }

    @FunctionalInterface
    interface Predicate {
        boolean grants(Attributes requested);

        static Predicate of(Authorizer authorizer) {
            return requested -> authorizer.authorize(requested) instanceof Decision.Allow;
        }
    }

    /**
     * A wider variant.
     *
     * @param how the widened side
     * @param policy its grants
     */
    record Variant(String how, Predicate policy) {}

    /** Splits a policy. A rule has the bindings that refer to it, including those of aggregating roles. */
    static List<PolicyUnit> of(PolicyDocuments policy) {
        List<PolicyUnit> units = new ArrayList<>();
        if (policy.lines() != null) {
            policy.lines().lines().forEach(line -> units.add(of(line)));
        }
        if (policy.roles() != null) {
            addRules(policy.roles(), units);
        }
        return units;
    }

    private static PolicyUnit of(AbacLine line) {
        List<Variant> widened = new ArrayList<>();
        if (line.readonly()) {
            widened.add(widened("readonly removed", line, false, line.namespace(), line.resource()));
        }
        if (!line.resource().isEmpty() && !line.resource().equals(AbacLine.ANY)) {
            widened.add(widened("resource *", line, line.readonly(), line.namespace(), AbacLine.ANY));
        }
        if (!line.resource().isEmpty() && !line.namespace().equals(AbacLine.ANY)) {
            widened.add(widened("namespace *", line, line.readonly(), AbacLine.ANY, line.resource()));
        }
        return new PolicyUnit(line.where() + " " + line.text(), predicate(line), widened);
    }

    private static Variant widened(String how, AbacLine line, boolean readonly, String namespace, String resource) {
        return new Variant(
                how,
                predicate(new AbacLine(
                        line.where(),
                        line.text(),
                        line.user(),
                        line.group(),
                        readonly,
                        line.apiGroup(),
                        namespace,
                        resource,
                        line.nonResourcePath())));
    }

    private static Predicate predicate(AbacLine line) {
        return Predicate.of(new AbacAuthorizer(AbacIndex.of(new AbacPolicy(List.of(line)))));
    }

    private static void addRules(RbacPolicy policy, List<PolicyUnit> units) {
        List<RbacRole> aggregating = policy.roles().stream()
                .filter(role -> role.aggregation() != null)
                .toList();
        Map<ObjectKey, List<RbacBinding>> bindings = new HashMap<>();
        for (RbacBinding binding : policy.bindings()) {
            ObjectKey role = binding.role();
            if (role != null) {
                bindings.computeIfAbsent(role, _ -> new ArrayList<>()).add(binding);
            }
        }
        List<RbacBinding> aggregatedBindings = new ArrayList<>();
        aggregating.forEach(role -> aggregatedBindings.addAll(bindings.getOrDefault(role.key(), List.of())));
        for (RbacRole role : policy.roles()) {
            if (role.aggregation() == null) {
                List<RbacBinding> through = new ArrayList<>(bindings.getOrDefault(role.key(), List.of()));
                through.addAll(aggregatedBindings);
                role.rules().forEach(rule -> units.add(of(role, rule, aggregating, through)));
            }
        }
    }

    private static PolicyUnit of(RbacRole role, RbacRule rule, List<RbacRole> aggregating, List<RbacBinding> bindings) {
        Location where = rule.where();
        List<Variant> widened = new ArrayList<>();
        widened(rule)
                .forEach((how, wider) -> widened.add(new Variant(how, predicate(role, wider, aggregating, bindings))));
        return new PolicyUnit(
                (where == null ? role.source() : where.toString()) + " " + rule,
                predicate(role, rule, aggregating, bindings),
                widened);
    }

    private static Predicate predicate(
            RbacRole role, RbacRule rule, List<RbacRole> aggregating, List<RbacBinding> bindings) {
        List<RbacRole> roles = new ArrayList<>(aggregating);
        roles.add(new RbacRole(role.key(), role.labels(), List.of(rule), null, role.where()));
        // The index and not the authorizer, which allows system:masters regardless of rules.
        return RbacIndex.of(new RbacPolicy(roles, bindings))::grants;
    }

    /** Returns the wider variants of a rule, by side. */
    private static Map<String, RbacRule> widened(RbacRule rule) {
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
