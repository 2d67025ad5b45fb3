package io.plat.engine.rbac;

import io.plat.review.AccessAttributes;
import io.plat.review.ApiGroups;
import io.plat.review.ResourceAttributes;
import io.plat.review.source.Location;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A RoleBinding or a ClusterRoleBinding.
 *
 * @param key its identity
 * @param subjects subjects that are granted the role
 * @param roleRef the role
 * @param where its location in a file, or null
 */
public record RbacBinding(
        ObjectKey key,
        List<RbacSubject> subjects,
        RoleRef roleRef,
        @Nullable Location where) implements RbacObject {
    private static final int OVERHEAD = 150;

    public RbacBinding {
        if (key.kind().isRole()) {
            throw new IllegalArgumentException("not a binding: " + key);
        }
        subjects = List.copyOf(subjects);
    }

    @Override
    public long bytes() {
        return OVERHEAD
                + roleRef.name().length()
                + subjects.stream().mapToLong(RbacSubject::bytes).sum();
    }

    /** Returns whether the binding applies to an access: a ClusterRoleBinding always, a RoleBinding to resources in its namespace. */
    public boolean appliesTo(AccessAttributes access) {
        String namespace = key.namespace();
        return namespace.isEmpty()
                || (access instanceof ResourceAttributes resource
                        && resource.namespace().equals(namespace));
    }

    public RbacBinding withoutSubjects() {
        return new RbacBinding(key, List.of(), roleRef, where);
    }

    /** Returns a RoleBinding without a file. */
    public static RbacBinding roleBinding(String namespace, String name, RoleRef roleRef, List<RbacSubject> subjects) {
        return new RbacBinding(new ObjectKey(RbacKind.ROLE_BINDING, namespace, name), subjects, roleRef, null);
    }

    /** Returns a ClusterRoleBinding without a file. */
    public static RbacBinding clusterRoleBinding(String name, RoleRef roleRef, List<RbacSubject> subjects) {
        return new RbacBinding(new ObjectKey(RbacKind.CLUSTER_ROLE_BINDING, "", name), subjects, roleRef, null);
    }

    /**
     * Returns the referenced role, or null if the reference is invalid: a Role is looked up in the binding's own namespace, and a cluster binding may
     * only refer to cluster roles.
     */
    public @Nullable ObjectKey role() {
        if (!roleRef.apiGroup().isEmpty() && !ApiGroups.isRbac(roleRef.apiGroup())) {
            return null;
        }
        String namespace = key.namespace();
        return switch (roleRef.kind()) {
            case "ClusterRole" ->
                roleRef.namespace().isEmpty() ? new ObjectKey(RbacKind.CLUSTER_ROLE, "", roleRef.name()) : null;
            case "Role" -> {
                boolean own =
                        roleRef.namespace().isEmpty() || roleRef.namespace().equals(namespace);
                yield own && !namespace.isEmpty() ? new ObjectKey(RbacKind.ROLE, namespace, roleRef.name()) : null;
            }
            default -> null;
        };
    }
}
