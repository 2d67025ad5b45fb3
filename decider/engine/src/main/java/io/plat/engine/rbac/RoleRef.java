package io.plat.engine.rbac;

/**
 * The role that a binding grants, as written.
 *
 * @param apiGroup the group of the role objects, or {@code ""} if omitted
 * @param kind {@code Role} or {@code ClusterRole}
 * @param namespace the namespace of the earlier form, {@code ""} if omitted; one other than the binding's grants nothing
 * @param name the role's name
 */
public record RoleRef(String apiGroup, String kind, String namespace, String name) {
    /** Returns the group that the earlier form's {@code apiVersion} names; the version is ignored. */
    public static String groupOf(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? apiVersion : apiVersion.substring(0, slash);
    }

    /** Returns a reference to a Role in the binding's own namespace. */
    public static RoleRef role(String name) {
        return new RoleRef("", RbacKind.ROLE.kind(), "", name);
    }

    public static RoleRef clusterRole(String name) {
        return new RoleRef("", RbacKind.CLUSTER_ROLE.kind(), "", name);
    }
}
