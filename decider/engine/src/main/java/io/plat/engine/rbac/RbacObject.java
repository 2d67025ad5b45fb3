package io.plat.engine.rbac;

import io.plat.review.source.Location;
import org.jspecify.annotations.Nullable;

/** A role or a binding. */
public sealed interface RbacObject permits RbacRole, RbacBinding {
    /** Returns the object's identity. */
    ObjectKey key();

    /** Returns its location in a file, or null if it is from a server. */
    @Nullable
    Location where();

    /** Returns the approximate memory including index entries, in bytes. */
    long bytes();

    /** Returns its source for messages: {@code file:line}, or kind, namespace and name, with the origin of objects without a line. */
    default String source() {
        Location where = where();
        if (where == null) {
            return key().toString();
        }
        return where.line() > 0 ? where.toString() : key() + " (" + where + ")";
    }
}
