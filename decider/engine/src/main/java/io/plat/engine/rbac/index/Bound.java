package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacSubject;
import org.jspecify.annotations.Nullable;

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
    Decision.@Nullable Allow allow(RbacIndex index, CompiledRule rule) {
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
