package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import org.jspecify.annotations.Nullable;

/**
 * A scope with several bindings of a subject. Few roles are looked up one by one, more of them as one merged set.
 *
 * @param bounds the bounds of each role of the set, at the same position
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record BoundRoles(RoleSet roles, Bound[][] bounds) implements Scope {
    @Override
    public Decision.@Nullable Allow find(RbacIndex index, CompiledRequest request) {
        RuleTree merged = roles.isMerged() ? index.merged(roles) : null;
        if (merged != null) {
            CompiledRule rule = merged.find(request);
            return rule == null ? null : bounds[roles.position(rule.role)][0].allow(index, rule);
        }
        for (Bound[] bound : bounds) {
            Decision.Allow allow = bound[0].find(index, request);
            if (allow != null) {
                return allow;
            }
        }
        return null;
    }
}
