package io.plat.engine.rbac.index;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A role with its permissions, or a placeholder of a role that bindings name and that does not exist: it permits nothing, and bindings remain
 * unchanged when the role is created.
 *
 * @param id its number; bindings refer to it by that
 * @param key its identity
 * @param role the role, or null if it does not exist
 * @param rules its rules, or those that it aggregates
 * @param permissions the index of the rules
 */
record CompiledRole(int id, ObjectKey key, @Nullable RbacRole role, List<CompiledRule> rules, RuleTree permissions) {

    static CompiledRole missing(int id, ObjectKey key) {
        return new CompiledRole(id, key, null, List.of(), RuleTree.EMPTY);
    }

    static CompiledRole of(int id, RbacRole role, List<RbacRule> effectiveRules) {
        List<CompiledRule> rules =
                effectiveRules.stream().map(rule -> new CompiledRule(id, rule)).toList();
        return new CompiledRole(id, role.key(), role, rules, RuleTree.EMPTY.change(List.of(), rules));
    }
}
