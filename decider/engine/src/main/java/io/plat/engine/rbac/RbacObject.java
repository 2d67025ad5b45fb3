package io.plat.engine.rbac;

import io.plat.review.source.Location;
import org.jspecify.annotations.Nullable;

/** A role or a binding. */
public sealed interface RbacObject permits RbacRole, RbacBinding {
    /** What identifies it. */
    ObjectKey key();

    /** Where it stands in a file, or null where it came from a server. */
    @Nullable
    Location where();

    /** Where it stands, for people: {@code file:line}, or kind, namespace and name. */
    default String source() {
        Location where = where();
        return where == null ? key().toString() : where.toString();
    }
}
