package io.plat.apiserver.options;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.type.Target;
import io.plat.engine.rbac.RbacObject;
import io.plat.review.status.StatusException;
import org.jspecify.annotations.Nullable;

/**
 * Privilege escalation check of a write. Called with the state to be stored, after patching and again after each conflict; not called for
 * unchanged objects, apart from finalizers and owners.
 */
@FunctionalInterface
public interface RoleWriteCheck {
    /** No check, for writes by the server itself. */
    RoleWriteCheck NONE = (target, after, before) -> {};

    /**
     * Returns if the write is permitted.
     *
     * @param target target with the name of the object
     * @param after state to be stored; not validated yet
     * @param before current state, null for a creation
     * @throws StatusException 403 if it is denied, 404 if it binds a role that does not exist
     */
    void admit(Target target, RbacObject after, @Nullable RbacObject before) throws StatusException;

    /**
     * Returns if the content is permitted, for objects of any type.
     *
     * @param target target with the name of the object
     * @param part subresource; {@code ""} for the object
     * @param after state to be stored; not validated yet
     * @param before current state, null for a creation
     * @throws StatusException 403 if it is denied, 500 if that could not be decided
     */
    default void admitContent(Target target, String part, ObjectNode after, @Nullable ObjectNode before)
            throws StatusException {}
}
