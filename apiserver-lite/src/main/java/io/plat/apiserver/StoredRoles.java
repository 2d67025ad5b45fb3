package io.plat.apiserver;

import io.plat.apiserver.resource.RoleListener;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacIndex;
import java.util.Collection;

/** Compiles the role objects of the store, change by change, for mode RBAC. */
final class StoredRoles implements RoleListener {
    private final CurrentRbac current = new CurrentRbac();

    /** What decides now. */
    CurrentRbac current() {
        return current;
    }

    @Override
    public void replaced(RbacPolicy all) {
        current.replace(RbacIndex.of(all));
    }

    @Override
    public void changed(Collection<RbacObject> puts, Collection<ObjectKey> removals) {
        current.change(puts, removals);
    }
}
