package io.plat.cli.policytest;

import io.plat.cli.policy.PolicyDocuments;
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
import io.plat.review.source.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Takes a policy apart. A rule keeps the bindings through which it is anybody's, also those of roles that gather it. */
final class Units {
    private final List<Unit> units = new ArrayList<>();

    private Units() {}

    static List<Unit> of(PolicyDocuments policy) {
        Units units = new Units();
        AbacPolicy lines = policy.lines();
        if (lines != null) {
            lines.lines().forEach(units::line);
        }
        RbacPolicy roles = policy.roles();
        if (roles != null) {
            units.roles(roles);
        }
        return units.units;
    }

    private void line(AbacLine line) {
        List<Unit.Widened> widened = new ArrayList<>();
        if (line.readonly()) {
            widened.add(widened("readonly taken away", line, false, line.namespace(), line.resource()));
        }
        if (!line.resource().isEmpty() && !line.resource().equals(AbacLine.ANY)) {
            widened.add(widened("resource *", line, line.readonly(), line.namespace(), AbacLine.ANY));
        }
        if (!line.resource().isEmpty() && !line.namespace().equals(AbacLine.ANY)) {
            widened.add(widened("namespace *", line, line.readonly(), AbacLine.ANY, line.resource()));
        }
        units.add(new Unit(line.where() + " " + line.text(), predicate(line), widened));
    }

    private static Unit.Widened widened(
            String how, AbacLine line, boolean readonly, String namespace, String resource) {
        return new Unit.Widened(
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

    private static Unit.Predicate predicate(AbacLine line) {
        return Unit.Predicate.of(new AbacAuthorizer(AbacIndex.of(new AbacPolicy(List.of(line)))));
    }

    private void roles(RbacPolicy policy) {
        List<RbacRole> aggregating = policy.roles().stream()
                .filter(role -> role.aggregation() != null)
                .toList();
        Map<ObjectKey, List<RbacBinding>> bindings = new HashMap<>();
        for (RbacBinding binding : policy.bindings()) {
            ObjectKey role = binding.role();
            if (role != null) {
                bindings.computeIfAbsent(role, one -> new ArrayList<>()).add(binding);
            }
        }
        List<RbacBinding> gathered = new ArrayList<>();
        aggregating.forEach(role -> gathered.addAll(bindings.getOrDefault(role.key(), List.of())));
        for (RbacRole role : policy.roles()) {
            if (role.aggregation() == null) {
                List<RbacBinding> through = new ArrayList<>(bindings.getOrDefault(role.key(), List.of()));
                through.addAll(gathered);
                role.rules().forEach(rule -> rule(role, rule, aggregating, through));
            }
        }
    }

    private void rule(RbacRole role, RbacRule rule, List<RbacRole> aggregating, List<RbacBinding> bindings) {
        Location where = rule.where();
        List<Unit.Widened> widened = new ArrayList<>();
        for (Map.Entry<String, RbacRule> wider : Widening.of(rule).entrySet()) {
            widened.add(new Unit.Widened(wider.getKey(), predicate(role, wider.getValue(), aggregating, bindings)));
        }
        units.add(new Unit(
                (where == null ? role.source() : where.toString()) + " " + rule,
                predicate(role, rule, aggregating, bindings),
                widened));
    }

    private static Unit.Predicate predicate(
            RbacRole role, RbacRule rule, List<RbacRole> aggregating, List<RbacBinding> bindings) {
        List<RbacRole> roles = new ArrayList<>(aggregating);
        roles.add(new RbacRole(role.key(), role.labels(), List.of(rule), null, role.where()));
        // The index and not the authorizer, which lets system:masters pass whatever the rule.
        return RbacIndex.of(new RbacPolicy(roles, bindings))::grants;
    }
}
