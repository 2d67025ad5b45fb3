package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacSubject;
import org.jspecify.annotations.Nullable;

/** Roles of one subject in one namespace, or in all namespaces. */
sealed interface Scope {
    /** Returns an Allow if a rule of the roles covers the request, or null. */
    Decision.@Nullable Allow find(RbacIndex index, CompiledRequest request);

    RoleSet roles();

    /** Returns the bounds of each role, at its position in the set. Not to be modified. */
    Bound[][] bounds();

    /**
     * One subject of one binding. For a subject with a single binding, as most have, it is the whole scope.
     *
     * @param role the number of the role
     * @param binding the binding without its subjects, so that it remains valid when its other subjects change
     */
    record Bound(int role, RbacBinding binding, RbacSubject subject) implements Scope {
        @Override
        public Decision.@Nullable Allow find(RbacIndex index, CompiledRequest request) {
            CompiledRule rule = index.role(role).permissions().find(request);
            return rule == null ? null : allow(index, rule);
        }

        /** Returns an Allow by a rule of this role. */
        private Decision.@Nullable Allow allow(RbacIndex index, CompiledRule rule) {
            RbacRole granted = index.role(role).role();
            return granted == null ? null : new Decision.Allow(new RbacGrant(binding, subject, granted, rule.rule));
        }

        @Override
        public RoleSet roles() {
            return new RoleSet(new int[] {role});
        }

        @Override
        public Bound[][] bounds() {
            return new Bound[][] {{this}};
        }
    }

    /**
     * A scope with several bindings of a subject. Few roles are looked up one by one, more of them as one merged set.
     *
     * @param bounds the bounds of each role of the set, at the same position
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Several(RoleSet roles, Bound[][] bounds) implements Scope {
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
}
