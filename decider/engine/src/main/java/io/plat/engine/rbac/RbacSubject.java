package io.plat.engine.rbac;

import io.plat.review.UserInfo;

/**
 * A subject of a binding, as written.
 *
 * @param kind {@code User}, {@code Group} or {@code ServiceAccount}; any other kind matches no user
 * @param apiGroup the group of the kind, or {@code ""} if omitted
 * @param namespace a service account's namespace, or {@code ""}
 */
public record RbacSubject(String kind, String apiGroup, String namespace, String name) {
    public static final String USER = "User";

    /** Everybody in a group. */
    public static final String GROUP = "Group";

    /** A service account, matched by the user name that it generates. */
    public static final String SERVICE_ACCOUNT = "ServiceAccount";

    private static final int OVERHEAD = 250;

    public static RbacSubject user(String name) {
        return new RbacSubject(USER, "", "", name);
    }

    public static RbacSubject group(String name) {
        return new RbacSubject(GROUP, "", "", name);
    }

    public static RbacSubject serviceAccount(String namespace, String name) {
        return new RbacSubject(SERVICE_ACCOUNT, "", namespace, name);
    }

    /** Returns the approximate memory including index entries, in bytes. */
    long bytes() {
        return OVERHEAD + kind.length() + apiGroup.length() + namespace.length() + 2L * name.length();
    }

    /**
     * Converts this subject from version v1alpha1, in which the user {@code *} is every authenticated user, and the kind alone determines the group.
     */
    public RbacSubject fromV1alpha1() {
        boolean known = kind.equals(USER) || kind.equals(GROUP) || kind.equals(SERVICE_ACCOUNT);
        return kind.equals(USER) && name.equals("*")
                ? new RbacSubject(GROUP, "", "", UserInfo.AUTHENTICATED)
                : new RbacSubject(kind, known ? "" : apiGroup, namespace, name);
    }

    /**
     * Returns the user name of this service account in a binding.
     *
     * @param bindingNamespace the namespace if the subject has none
     */
    public String serviceAccountUser(String bindingNamespace) {
        return UserInfo.serviceAccountUser(namespace.isEmpty() ? bindingNamespace : namespace, name);
    }
}
