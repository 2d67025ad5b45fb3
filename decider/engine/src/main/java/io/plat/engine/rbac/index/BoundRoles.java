package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A scope in which a subject is bound more than once. Few roles are asked one by one, more of them as one merged set. */
final class BoundRoles implements Scope {
    /** So many roles are asked one by one. */
    static final int FEW = 4;

    private final RoleSet roles;
    /** For each role of the set, at the same position, everything that gives it. */
    private final Bound[][] bounds;

    BoundRoles(RoleSet roles, Bound[][] bounds) {
        this.roles = roles;
        this.bounds = bounds;
    }

    @Override
    public Decision.@Nullable Allow find(RbacIndex index, Asked asked) {
        if (roles.size() > FEW) {
            CompiledRule rule = asked.findIn(index.merged(roles));
            return rule == null ? null : bounds[roles.position(rule.role)][0].allow(index, rule);
        }
        for (Bound[] bound : bounds) {
            Decision.Allow allow = bound[0].find(index, asked);
            if (allow != null) {
                return allow;
            }
        }
        return null;
    }

    @Override
    public void forEachRole(IntConsumer visitor) {
        for (int i = 0; i < roles.size(); i++) {
            visitor.accept(roles.id(i));
        }
    }

    @Override
    public RoleSet merged() {
        return roles.size() > FEW ? roles : RoleSet.EMPTY;
    }

    RoleSet roles() {
        return roles;
    }

    /** For each role, at its position in the set, everything that gives it. Not to be changed. */
    Bound[][] all() {
        return bounds;
    }
}
