package io.plat.engine.rbac;

import io.plat.review.source.Location;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A role or a binding. */
public sealed interface RbacObject permits RbacRole, RbacBinding {
    /**
     * Returns a role with these rules and its binding to a subject.
     *
     * @param namespace the namespace of both, or {@code ""} for a cluster role with a cluster role binding
     */
    static List<RbacObject> grant(String namespace, String name, List<RbacRule> rules, RbacSubject subject) {
        return namespace.isEmpty()
                ? List.of(
                        RbacRole.clusterRole(name, rules),
                        RbacBinding.clusterRoleBinding(name, RoleRef.clusterRole(name), List.of(subject)))
                : List.of(
                        RbacRole.role(namespace, name, rules),
                        RbacBinding.roleBinding(namespace, name, RoleRef.role(name), List.of(subject)));
    }

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
