package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.options.RoleWriteCheck;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.Target;
import io.plat.engine.rbac.RbacKind;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Privilege checks of writes of role objects that could change permissions. */
public final class RoleWrites {
    /** Metadata that the garbage collector and finalizing clients change. */
    private static final List<String> LIFECYCLE = List.of("finalizers", "ownerReferences");

    private RoleWrites() {}

    /**
     * Returns normally if the write is permitted, or the object is not a role object.
     *
     * @param before current state, null for a creation
     */
    public static void admit(RoleWriteCheck check, Target target, ObjectNode object, @Nullable ObjectNode before)
            throws StatusException {
        Optional<RbacKind> kind = target.type().identity().role();
        if (kind.isEmpty() || (before != null && onlyLifecycleDiffers(object, before))) {
            return;
        }
        check.admit(
                target,
                RoleObjects.model(kind.get(), object),
                before == null ? null : RoleObjects.model(kind.get(), before));
    }

    private static boolean onlyLifecycleDiffers(ObjectNode object, ObjectNode before) {
        return withoutLifecycle(object).equals(withoutLifecycle(before));
    }

    private static ObjectNode withoutLifecycle(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        Json.child(copy, "metadata").remove(LIFECYCLE);
        return copy;
    }
}
