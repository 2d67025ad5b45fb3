package io.plat.engine.rbac;

import java.util.Arrays;
import java.util.Optional;

/** The four types of role objects. */
public enum RbacKind {
    /** Rules in one namespace. */
    ROLE("Role", "roles", true),
    /** Rules for all namespaces, for cluster-scoped resources and for paths. */
    CLUSTER_ROLE("ClusterRole", "clusterroles", false),
    /** Grants subjects a role within one namespace. */
    ROLE_BINDING("RoleBinding", "rolebindings", true),
    /** Grants subjects a cluster role in all namespaces and on paths. */
    CLUSTER_ROLE_BINDING("ClusterRoleBinding", "clusterrolebindings", false);

    private final String kind;
    private final String resource;
    private final boolean namespaced;

    RbacKind(String kind, String resource, boolean namespaced) {
        this.kind = kind;
        this.resource = resource;
        this.namespaced = namespaced;
    }

    public String kind() {
        return kind;
    }

    public String resource() {
        return resource;
    }

    /** Returns whether objects of this type are namespaced. */
    public boolean namespaced() {
        return namespaced;
    }

    /** Returns whether objects of this type are roles, as opposed to bindings. */
    public boolean isRole() {
        return this == ROLE || this == CLUSTER_ROLE;
    }

    /** Returns the type of a field {@code kind}, if it is one of these. */
    public static Optional<RbacKind> of(String kind) {
        return Arrays.stream(values()).filter(each -> each.kind.equals(kind)).findFirst();
    }
}
