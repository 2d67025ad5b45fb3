package io.plat.apiserver.options;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import org.jspecify.annotations.Nullable;

/**
 * Check of the content of a write by a user, such as for privilege escalation. Called with the state to be stored, after patching and again
 * after each conflict.
 */
@FunctionalInterface
public interface WriteCheck {
    WriteCheck NONE = (target, part, after, before) -> {};

    /**
     * Returns if the write is permitted.
     *
     * @param part subresource; {@code ""} for the object
     * @param after state to be stored; not validated yet
     * @param before current state, null for a creation
     * @throws StatusException the rejection
     */
    void admit(Target target, String part, ObjectNode after, @Nullable ObjectNode before) throws StatusException;

    /**
     * Repeats the check directly before the write, if its result may be outdated.
     *
     * @throws StatusException the rejection
     */
    default void renew(Target target, String part, ObjectNode after, @Nullable ObjectNode before)
            throws StatusException {}

    /** Returns this check after another one. */
    default WriteCheck after(WriteCheck other) {
        WriteCheck content = this;
        return new WriteCheck() {
            @Override
            public void admit(Target target, String part, ObjectNode after, @Nullable ObjectNode before)
                    throws StatusException {
                other.admit(target, part, after, before);
                content.admit(target, part, after, before);
            }

            @Override
            public void renew(Target target, String part, ObjectNode after, @Nullable ObjectNode before)
                    throws StatusException {
                other.renew(target, part, after, before);
                content.renew(target, part, after, before);
            }
        };
    }
}
