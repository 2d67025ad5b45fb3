package io.plat.review;

/**
 * Synonymous API group names.
 *
 * <p>The specification writes {@code plat} where Kubernetes has its own name. In attributes, rules, role references and policy lines the names are
 * equivalent: an index stores the canonical name and a request is canonicalized once before it is looked up. A request to a remote decider keeps the
 * original name.
 */
public final class ApiGroups {
    /** The group of the access reviews in Kubernetes. */
    public static final String AUTHORIZATION = "authorization.k8s.io";

    /** The group of the access reviews, as the specification names it. */
    public static final String AUTHORIZATION_PLAT = "authorization.plat.io";

    /** The group of the RBAC objects in Kubernetes. */
    public static final String RBAC = "rbac.authorization.k8s.io";

    /** The group of the role objects, as the specification names it. */
    public static final String RBAC_PLAT = "rbac.authorization.plat.io";

    private static final String PLAT_SUFFIX = ".plat.io";

    private ApiGroups() {}

    /**
     * Returns the canonical name of a group, for comparisons.
     *
     * @param group a group name as written; {@code ""} is the core group, {@code *} and unknown names are returned unchanged
     */
    public static String canonical(String group) {
        if (!group.endsWith(PLAT_SUFFIX)) {
            return group;
        }
        return switch (group) {
            case AUTHORIZATION_PLAT -> AUTHORIZATION;
            case RBAC_PLAT -> RBAC;
            default -> group;
        };
    }

    /** Returns whether a group is that of the RBAC objects, under either name. */
    public static boolean isRbac(String group) {
        return canonical(group).equals(RBAC);
    }
}
