package io.plat.engine.rbac.served;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacObject;
import org.jspecify.annotations.Nullable;

/**
 * One object of a server.
 *
 * @param key its identity
 * @param version its resource version, {@code ""} if it had none
 * @param object the object; null if it is invalid
 * @param problem its problem in one line; {@code ""} if it is valid
 */
public record ReceivedObject(
        ObjectKey key, String version, @Nullable RbacObject object, String problem) {
    private static final int UNUSABLE = 300;

    public ReceivedObject {
        if ((object == null) == problem.isEmpty()) {
            throw new IllegalArgumentException("an object can be used or has a problem: " + key);
        }
        if (object != null && !object.key().equals(key)) {
            throw new IllegalArgumentException("two keys of one object: " + key + ", " + object.key());
        }
    }

    /** Returns its approximate memory, in bytes, as received and in the index. */
    public long bytes() {
        return version.length() + (object == null ? bytes(key) + problem.length() : bytes(object));
    }

    /** Returns the approximate memory of a valid object with its identity, in bytes. */
    public static long bytes(RbacObject object) {
        return object.bytes() + length(object.key());
    }

    /** Returns the approximate memory of the identity of an invalid object, in bytes. */
    public static long bytes(ObjectKey unusable) {
        return UNUSABLE + length(unusable);
    }

    private static long length(ObjectKey key) {
        return (long) key.namespace().length() + key.name().length();
    }
}
