package io.plat.apiserver.roles;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import java.util.Collection;

/** Listener for the role objects of a store, called by one thread at a time. */
public interface RoleListener {
    /** Replaces all role objects. Called first, and again whenever changes were missed. */
    void replaced(RbacPolicy all);

    /**
     * Applies the changes since the last call.
     *
     * @param puts new or changed objects
     * @param removals deleted objects
     */
    void changed(Collection<RbacObject> puts, Collection<ObjectKey> removals);
}
