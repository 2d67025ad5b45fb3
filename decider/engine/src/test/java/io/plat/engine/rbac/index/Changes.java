package io.plat.engine.rbac.index;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacObject;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes of an index. */
public final class Changes {
    private Changes() {}

    /** Returns the change that deletes and writes objects. */
    public static Map<ObjectKey, @Nullable RbacObject> of(
            Collection<? extends RbacObject> puts, Collection<ObjectKey> removals) {
        Map<ObjectKey, @Nullable RbacObject> changes = new LinkedHashMap<>();
        removals.forEach(key -> changes.put(key, null));
        puts.forEach(object -> changes.put(object.key(), object));
        return changes;
    }
}
