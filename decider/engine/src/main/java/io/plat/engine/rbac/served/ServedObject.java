package io.plat.engine.rbac.served;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One object as a server has it.
 *
 * @param key what identifies it
 * @param version its resource version, {@code ""} where none was told
 * @param object the object; null where it can't be used
 * @param problem what is wrong with it, one line; {@code ""} for one that can be used
 */
public record ServedObject(
        ObjectKey key, String version, @Nullable RbacObject object, String problem) {
    public ServedObject {
        Objects.requireNonNull(key);
        Objects.requireNonNull(version);
        if ((object == null) == problem.isEmpty()) {
            throw new IllegalArgumentException("an object can be used or has a problem: " + key);
        }
        if (object != null && !object.key().equals(key)) {
            throw new IllegalArgumentException("two keys of one object: " + key + ", " + object.key());
        }
    }
}
