package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import org.jspecify.annotations.Nullable;

/** Roles of one subject in one namespace, or in all namespaces. */
sealed interface Scope permits Bound, BoundRoles {
    /** Returns an Allow if a rule of the roles covers the request, or null. */
    Decision.@Nullable Allow find(RbacIndex index, CompiledRequest request);

    RoleSet roles();

    /** Returns the bounds of each role, at its position in the set. Not to be modified. */
    Bound[][] bounds();
}
