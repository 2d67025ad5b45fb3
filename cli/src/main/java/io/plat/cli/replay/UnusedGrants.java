package io.plat.cli.replay;

import io.plat.cli.policy.PolicyDocuments;
import io.plat.engine.Grant;
import io.plat.engine.abac.AbacGrant;
import io.plat.engine.abac.AbacLine;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.index.ScannedRoles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The grants of a policy through which no request was allowed: lines, and rules as bindings give them. */
final class UnusedGrants {
    private UnusedGrants() {}

    /** A rule as a binding gives it. */
    private record Given(ObjectKey binding, RbacRule rule) {}

    static List<String> of(PolicyDocuments policy, Set<Grant> used) {
        Set<Object> known = new HashSet<>();
        for (Grant grant : used) {
            switch (grant) {
                case AbacGrant line -> known.add(line.line());
                case RbacGrant rule -> known.add(new Given(rule.binding().key(), rule.matched()));
                default -> {}
            }
        }
        List<String> unused = new ArrayList<>();
        AbacPolicy lines = policy.lines();
        if (lines != null) {
            for (AbacLine line : lines.lines()) {
                if (!known.contains(line)) {
                    unused.add(line.where() + " " + line.text());
                }
            }
        }
        RbacPolicy roles = policy.roles();
        if (roles != null) {
            addRules(roles, known, unused);
        }
        return unused;
    }

    private static void addRules(RbacPolicy policy, Set<Object> known, List<String> unused) {
        new ScannedRoles(policy).forEachGrant((binding, rules) -> {
            for (RbacRule rule : rules) {
                if (!known.contains(new Given(binding.key(), rule))) {
                    unused.add(binding.source() + " " + binding.key() + " " + rule);
                }
            }
        });
    }
}
