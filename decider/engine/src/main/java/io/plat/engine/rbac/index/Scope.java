package io.plat.engine.rbac.index;

import io.plat.engine.Decision;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** What one subject is bound to in one namespace, or everywhere. */
sealed interface Scope permits Bound, BoundRoles {
    /** An Allow where a rule of the roles covers what is asked, or null. */
    Decision.@Nullable Allow find(RbacIndex index, Asked asked);

    /** Visits the number of each role. */
    void forEachRole(IntConsumer visitor);

    /** The roles, where they are many enough to be merged; else the empty set. */
    RoleSet merged();
}
