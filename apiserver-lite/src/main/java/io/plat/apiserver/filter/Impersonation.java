package io.plat.apiserver.filter;

import io.plat.apiserver.authentication.AccountName;
import io.plat.apiserver.authentication.FrontProxyAuthenticator;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Requested impersonation: the header fields {@code Impersonate-User}, {@code -Group}, {@code -Uid} and {@code -Extra-KEY}, parsed as by
 * kube-apiserver.
 *
 * @param account service account of that name, if it is one
 * @param uid uid, or {@code ""}
 * @param groups distinct requested groups
 */
record Impersonation(
        String user, Optional<AccountName> account, String uid, List<String> groups, Map<String, List<String>> extra) {
    /** Common prefix of these header fields, in lower case. */
    static final String PREFIX = "impersonate-";

    private static final String USER = PREFIX + "user";
    private static final String GROUP = PREFIX + "group";
    private static final String UID = PREFIX + "uid";
    private static final String EXTRA = PREFIX + "extra-";

    private static final String VERB = "impersonate";
    private static final String AUTHENTICATION = "authentication.k8s.io";

    Impersonation {
        groups = List.copyOf(groups);
        // UserInfo bounds the cost of hash collisions; Map.copyOf would not.
        extra = new LinkedHashMap<>(extra);
    }

    /** Returns whether a request has any header field with the prefix. */
    static boolean isRequested(IncomingRequest incoming) {
        return incoming.hasHeader(Impersonation::isImpersonationHeader);
    }

    /** Returns whether a header field is one of these. */
    static boolean isImpersonationHeader(String headerName) {
        return headerName.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    /**
     * Parses the header fields; empty without impersonation.
     *
     * @throws StatusException 400 if there is no user, with the message of Kubernetes (whose status is 500), or more than one user or uid
     */
    static Optional<Impersonation> of(IncomingRequest incoming) throws StatusException {
        Optional<String> user = single(incoming, USER);
        Optional<String> uid = single(incoming, UID).filter(value -> !value.isEmpty());
        List<String> groups = incoming.headers(GROUP);
        Map<String, List<String>> extra = FrontProxyAuthenticator.extra(incoming, List.of(EXTRA));
        if (user.isEmpty() && uid.isEmpty() && groups.isEmpty() && extra.isEmpty()) {
            return Optional.empty();
        }
        String name = user.orElse("");
        if (name.isEmpty()) {
            throw withoutUser(groups, extra, uid);
        }
        return Optional.of(new Impersonation(
                name, AccountName.ofUser(name), uid.orElse(""), List.copyOf(new LinkedHashSet<>(groups)), extra));
    }

    /** Rejects a repeated header field, as other parties could read another of its values. */
    private static Optional<String> single(IncomingRequest incoming, String header) throws StatusException {
        List<String> values = incoming.headers(header);
        if (values.size() > 1) {
            throw new StatusException(
                    StatusReason.BAD_REQUEST,
                    "header \"" + header + "\" has " + values.size() + " values, expected one");
        }
        return values.stream().findFirst();
    }

    private static StatusException withoutUser(
            List<String> groups, Map<String, List<String>> extra, Optional<String> uid) {
        List<String> requested = new ArrayList<>();
        groups.forEach(group -> requested.add("{Group  " + group + "    }"));
        extra.forEach((key, values) -> values.forEach(
                value -> requested.add("{UserExtra  " + value + "  " + AUTHENTICATION + "/v1  " + key + "}")));
        uid.ifPresent(value -> requested.add("{UID  " + value + "  " + AUTHENTICATION + "/v1  }"));
        return new StatusException(
                StatusReason.BAD_REQUEST,
                "requested [" + String.join(" ", requested) + "] without impersonating a user");
    }

    /** Returns the permissions that impersonation requires, each checked separately. */
    Set<ResourceAttributes> requiredPermissions() {
        Set<ResourceAttributes> permissions = new LinkedHashSet<>();
        permissions.add(account.map(name -> permission(name.namespace(), "", "serviceaccounts", "", name.name()))
                .orElseGet(() -> permission("", "", "users", "", user)));
        if (!uid.isEmpty()) {
            permissions.add(permission("", AUTHENTICATION, "uids", "", uid));
        }
        groups.forEach(group -> permissions.add(permission("", "", "groups", "", group)));
        extra.forEach((key, values) ->
                values.forEach(value -> permissions.add(permission("", AUTHENTICATION, "userextras", key, value))));
        return permissions;
    }

    private static ResourceAttributes permission(
            String namespace, String group, String resource, String subresource, String name) {
        String version = group.isEmpty() ? "" : "v1";
        return new ResourceAttributes(namespace, VERB, group, version, resource, subresource, name);
    }

    /**
     * Returns the impersonated user. Requested groups replace the defaults, but every user is a member of either the authenticated or the
     * unauthenticated group.
     */
    UserInfo effective() {
        List<String> all = new ArrayList<>(groups);
        if (all.isEmpty()) {
            account.ifPresent(name -> all.addAll(name.groups()));
        }
        boolean unauthenticated = all.contains(UserInfo.UNAUTHENTICATED);
        if (user.equals(UserInfo.ANONYMOUS)) {
            if (!unauthenticated) {
                all.add(UserInfo.UNAUTHENTICATED);
            }
        } else if (!unauthenticated && !all.contains(UserInfo.AUTHENTICATED)) {
            all.add(UserInfo.AUTHENTICATED);
        }
        return new UserInfo(user, uid, all, extra);
    }
}
