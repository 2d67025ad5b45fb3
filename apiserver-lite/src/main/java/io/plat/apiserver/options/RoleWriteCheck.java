package io.plat.apiserver.options;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.type.Target;
import io.plat.engine.rbac.RbacObject;
import io.plat.review.status.StatusException;
import org.jspecify.annotations.Nullable;

/**
 * Whether somebody may write a role object. Asked with what would be stored, after a patch has been applied and again whenever
 * another write came first; not asked where an object stays as it is, but for its finalizers and owners.
 */
@FunctionalInterface
public interface RoleWriteCheck {
    /** For what the server writes of its own accord. */
    RoleWriteCheck NONE = (target, after, before) -> {};

    /**
     * Returns if it may be written.
     *
     * @param target what the request is about, with the object's name
     * @param after the object as it would be stored; not validated yet
     * @param before its present state, null for a creation
     * @throws StatusException 403 if it may not, 404 if it gives a role that does not exist
     */
    void admit(Target target, RbacObject after, @Nullable RbacObject before) throws StatusException;

    /**
     * Returns if whoever asks may write this content, be it a role object or any other.
     *
     * @param target what the request is about, with the object's name
     * @param part the part of it that is written; {@code ""} for the object
     * @param after the object as it would be stored; not validated yet
     * @param before its present state, null for a creation
     * @throws StatusException 403 if it may not, 500 where that could not be decided
     */
    default void admitContent(Target target, String part, ObjectNode after, @Nullable ObjectNode before)
            throws StatusException {}
}
