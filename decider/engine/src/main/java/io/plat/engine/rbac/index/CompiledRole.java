package io.plat.engine.rbac.index;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A role with its permissions, or a placeholder for a missing role of a binding, which grants nothing, so that bindings remain unchanged when the
 * role is created.
 *
 * @param id its number, by which bindings refer to it
 * @param key its identity
 * @param role the role, or null if it does not exist
 * @param written its own or aggregated rules, as written
 * @param leftOut the roles that are left out of its aggregated rules
 * @param rules its rules, compiled
 * @param permissions the index of the rules
 * @param entries approximate number of entries of that index
 */
record CompiledRole(
        int id,
        ObjectKey key,
        @Nullable RbacRole role,
        List<RbacRule> written,
        List<ObjectKey> leftOut,
        List<CompiledRule> rules,
        RuleTree permissions,
        long entries) {
    static CompiledRole missing(int id, ObjectKey key) {
        return new CompiledRole(id, key, null, List.of(), List.of(), List.of(), RuleTree.EMPTY, 0);
    }

    /** Returns a role; an aggregating one has no rules yet. */
    static CompiledRole of(int id, RbacRole role) {
        List<RbacRule> written = role.aggregation() == null ? role.rules() : List.of();
        EntryBudget budget = new EntryBudget();
        List<CompiledRule> rules = written.stream()
                .map(rule -> new CompiledRule(id, rule, budget.reserve(rule)))
                .toList();
        return new CompiledRole(
                id,
                role.key(),
                role,
                written,
                List.of(),
                rules,
                RuleTree.EMPTY.change(List.of(), rules),
                budget.entries());
    }

    /** Returns this aggregating role with other rules. Only new ones are compiled and indexed. */
    CompiledRole with(Aggregation.AggregatedRules aggregated) {
        Map<RbacRule, CompiledRule> minus = HashMap.newHashMap(rules.size());
        rules.forEach(rule -> minus.put(rule.rule, rule));
        EntryBudget budget = new EntryBudget();
        List<CompiledRule> plus = new ArrayList<>();
        List<CompiledRule> after = new ArrayList<>(aggregated.rules().size());
        for (RbacRule rule : aggregated.rules()) {
            boolean split = budget.reserve(rule);
            CompiledRule compiled = minus.get(rule);
            if (compiled != null && compiled.split == split) {
                minus.remove(rule);
            } else {
                compiled = new CompiledRule(id, rule, split);
                plus.add(compiled);
            }
            after.add(compiled);
        }
        return new CompiledRole(
                id,
                key,
                role,
                aggregated.rules(),
                aggregated.leftOut(),
                List.copyOf(after),
                permissions.change(minus.values(), plus),
                budget.entries());
    }

    /** Returns this role with a changed object and the same rules. */
    CompiledRole rewritten(RbacRole changed) {
        return new CompiledRole(id, key, changed, written, leftOut, rules, permissions, entries);
    }

    /**
     * Budget of index entries of a role. A rule has an entry for each combination of its values: up to a million. The number of entries
     * of a role is limited in proportion to its values; rules beyond that are compared one by one. For a single use.
     */
    private static final class EntryBudget {
        /** Entries of any role, more than usual roles need. */
        private static final long FREE = 512;

        private static final int PER_VALUE = 4;

        private long remaining = FREE;
        private long total;

        /** Returns whether the next rule of the role has an entry for each combination. */
        boolean reserve(RbacRule rule) {
            long verbs = Math.max(1, rule.verbs().size() - Long.bitCount(Verbs.mask(rule.verbs())));
            long objects = product(
                    rule.apiGroups().size(),
                    product(rule.resources().size(), rule.resourceNames().size()));
            long entries =
                    product(verbs, product(1, objects) + rule.nonResourceUrls().size());
            remaining += PER_VALUE
                    * (verbs
                            + rule.apiGroups().size()
                            + rule.resources().size()
                            + rule.resourceNames().size()
                            + rule.nonResourceUrls().size());
            boolean split = entries <= remaining;
            total += split ? entries : 1;
            remaining -= split ? entries : 0;
            return split;
        }

        private static long product(long one, long other) {
            return Math.min(Integer.MAX_VALUE, Math.max(1, one) * Math.max(1, other));
        }

        /** Returns the number of entries of the rules so far. */
        long entries() {
            return total;
        }
    }
}
