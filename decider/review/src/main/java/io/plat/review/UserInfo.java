package io.plat.review;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The requesting user: the result of authentication, or the subject of a review.
 *
 * @param name the user name, {@code ""} if a review has groups only
 * @param uid a unique identifier across renames, or {@code ""}
 * @param groups the groups, exactly as sent: none is implied
 * @param extra additional attributes from the authenticator, by key
 */
public record UserInfo(String name, String uid, List<String> groups, Map<String, List<String>> extra)
        implements Comparable<UserInfo> {
    /** Members have full access (specification, "RBAC mode", 7). */
    public static final String MASTERS = "system:masters";

    /** The group of authenticated users. */
    public static final String AUTHENTICATED = "system:authenticated";

    /** The group of unauthenticated requests. */
    public static final String UNAUTHENTICATED = "system:unauthenticated";

    /** The user name of a request without a credential. */
    public static final String ANONYMOUS = "system:anonymous";

    /** The group of all service accounts. */
    public static final String SERVICE_ACCOUNTS = "system:serviceaccounts";

    /** Prefix of the user names of service accounts. */
    public static final String SERVICE_ACCOUNT_USER = "system:serviceaccount:";

    /** Key of the extra field that identifies the credential, as in Kubernetes. */
    public static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

    private static final Comparator<UserInfo> ORDER = Comparator.comparing(UserInfo::name)
            .thenComparing(UserInfo::uid)
            .thenComparing(UserInfo::groups, ListOrder.STRINGS)
            .thenComparing(
                    user -> List.copyOf(new TreeMap<>(user.extra).entrySet()),
                    ListOrder.of(Map.Entry.<String, List<String>>comparingByKey()
                            .thenComparing(Map.Entry::getValue, ListOrder.STRINGS)));

    public UserInfo {
        groups = List.copyOf(groups);
        extra = copy(extra);
    }

    /** Returns the key of the user's share of limits: that of the namespace for service accounts, as its administrators create any number of them. */
    public String client() {
        return name.startsWith(SERVICE_ACCOUNT_USER) ? name.substring(0, name.lastIndexOf(':')) : name;
    }

    /** Copies a map with keys from a client. Unlike {@link Map#copyOf}, the copy remains fast if hash codes collide. Preserves the order. */
    private static Map<String, List<String>> copy(Map<String, List<String>> extra) {
        if (extra.isEmpty()) {
            return Map.of();
        }
        Map<String, List<String>> copy = LinkedHashMap.newLinkedHashMap(extra.size());
        extra.forEach((key, values) -> copy.put(Objects.requireNonNull(key), List.copyOf(values)));
        return Collections.unmodifiableMap(copy);
    }

    /** Returns the user as a member of {@code system:authenticated}, unless it is {@code system:anonymous}. */
    public UserInfo authenticated() {
        return name.equals(ANONYMOUS) ? this : withImpliedGroup();
    }

    /** Returns the user as a member of {@code system:authenticated} or, if anonymous, {@code system:unauthenticated}, unless it is in either. */
    public UserInfo withImpliedGroup() {
        String implied = name.equals(ANONYMOUS) ? UNAUTHENTICATED : AUTHENTICATED;
        if (groups.contains(implied) || groups.contains(UNAUTHENTICATED)) {
            return this;
        }
        List<String> all = new ArrayList<>(groups);
        all.add(implied);
        return new UserInfo(name, uid, all, extra);
    }

    @Override
    public int compareTo(UserInfo other) {
        return ORDER.compare(this, other);
    }

    /** Creates a user with groups and nothing else. */
    public UserInfo(String name, List<String> groups) {
        this(name, "", groups, Map.of());
    }

    /** Returns the user name that a service account generates (specification, "Naming rules"). */
    public static String serviceAccountUser(String namespace, String name) {
        return SERVICE_ACCOUNT_USER + namespace + ":" + name;
    }

    /** Returns the group of all service accounts of one namespace. */
    public static String serviceAccountsOf(String namespace) {
        return SERVICE_ACCOUNTS + ":" + namespace;
    }
}
