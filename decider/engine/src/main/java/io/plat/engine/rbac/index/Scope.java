package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import org.jspecify.annotations.Nullable;

/** Roles of one subject in one namespace, or in all. */
sealed interface Scope permits Bound, BoundRoles {
    /** An Allow where a rule of the roles covers the request, or null. */
    Decision.@Nullable Allow find(RbacIndex index, CompiledRequest request);

    RoleSet roles();

    /** For each role, at its position in the set, everything that gives it. Not to be changed. */
    Bound[][] bounds();
}
