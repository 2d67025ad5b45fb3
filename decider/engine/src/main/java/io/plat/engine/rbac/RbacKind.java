package io.plat.engine.rbac;

import java.util.Optional;

/** The four types of role objects. */
public enum RbacKind {
    /** Rules that hold in one namespace. */
    ROLE("Role", "roles", true),
    /** Rules for any namespace, for what has no namespace and for paths. */
    CLUSTER_ROLE("ClusterRole", "clusterroles", false),
    /** Gives subjects a role within one namespace. */
    ROLE_BINDING("RoleBinding", "rolebindings", true),
    /** Gives subjects a cluster role everywhere. */
    CLUSTER_ROLE_BINDING("ClusterRoleBinding", "clusterrolebindings", false);

    private final String kind;
    private final String resource;
    private final boolean namespaced;

    RbacKind(String kind, String resource, boolean namespaced) {
        this.kind = kind;
        this.resource = resource;
        this.namespaced = namespaced;
    }

    /** The field {@code kind}. */
    public String kind() {
        return kind;
    }

    /** The resource name as in the URL. */
    public String resource() {
        return resource;
    }

    /** Whether objects of this type stand in a namespace. */
    public boolean namespaced() {
        return namespaced;
    }

    /** Whether this is a kind of role and not of binding. */
    public boolean isRole() {
        return this == ROLE || this == CLUSTER_ROLE;
    }

    /** The type that a field {@code kind} names, if it is one of these. */
    public static Optional<RbacKind> of(String kind) {
        for (RbacKind candidate : values()) {
            if (candidate.kind.equals(kind)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
