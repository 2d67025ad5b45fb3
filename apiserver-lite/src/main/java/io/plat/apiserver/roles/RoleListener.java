package io.plat.apiserver.roles;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import java.util.Collection;

/** Told of the role objects of a store, by one thread at a time. */
public interface RoleListener {
    /** These are all role objects there are. Comes first, and again whenever changes were missed. */
    void replaced(RbacPolicy all);

    /**
     * Changes since the last call, taken together.
     *
     * @param puts the objects that are new or different
     * @param removals those that are gone
     */
    void changed(Collection<RbacObject> puts, Collection<ObjectKey> removals);
}
