package io.plat.apiserver.filter;

import io.plat.apiserver.authentication.AccountName;
import io.plat.apiserver.authentication.header.FrontProxyAuthenticator;
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
 * As whom a request is to be made: what its header fields {@code Impersonate-User}, {@code -Group}, {@code -Uid} and {@code
 * -Extra-KEY} say, read as existing servers read them.
 *
 * @param user the user name
 * @param account the service account that the name stands for, if it is one's
 * @param uid the identifier, or {@code ""}
 * @param groups the groups that were named, none twice
 * @param extra the further facts, by key
 */
record Impersonation(
        String user, Optional<AccountName> account, String uid, List<String> groups, Map<String, List<String>> extra) {
    /** What the names of all these header fields begin with, in lower case. */
    static final String PREFIX = "impersonate-";

    private static final String USER = PREFIX + "user";
    private static final String GROUP = PREFIX + "group";
    private static final String UID = PREFIX + "uid";
    private static final String EXTRA = PREFIX + "extra-";

    private static final String VERB = "impersonate";
    private static final String AUTHENTICATION = "authentication.k8s.io";

    Impersonation {
        groups = List.copyOf(groups);
        // UserInfo bounds what keys of one hash code cost; Map.copyOf would not.
        extra = new LinkedHashMap<>(extra);
    }

    /** Whether a request has any header field that begins as these do. */
    static boolean wanted(Incoming incoming) {
        for (String name : incoming.headerNames()) {
            if (isOne(name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a header field of this name is one of these. */
    static boolean isOne(String headerName) {
        return headerName.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    /**
     * What a request says; empty where nothing is asked for.
     *
     * @throws StatusException 400 if there is no user, with the message of Kubernetes (whose status is 500), or more than one user or uid
     */
    static Optional<Impersonation> of(Incoming incoming) throws StatusException {
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

    /** Of two values nobody could say which one another party would believe. */
    private static Optional<String> single(Incoming incoming, String header) throws StatusException {
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

    /** Everything that has to be allowed to whoever asks, each by itself. */
    Set<ResourceAttributes> questions() {
        Set<ResourceAttributes> questions = new LinkedHashSet<>();
        questions.add(account.map(who -> question(who.namespace(), "", "serviceaccounts", "", who.name()))
                .orElseGet(() -> question("", "", "users", "", user)));
        groups.forEach(group -> questions.add(question("", "", "groups", "", group)));
        extra.forEach((key, values) ->
                values.forEach(value -> questions.add(question("", AUTHENTICATION, "userextras", key, value))));
        if (!uid.isEmpty()) {
            questions.add(question("", AUTHENTICATION, "uids", "", uid));
        }
        return questions;
    }

    private static ResourceAttributes question(
            String namespace, String group, String resource, String subresource, String name) {
        String version = group.isEmpty() ? "" : "v1";
        return new ResourceAttributes(namespace, VERB, group, version, resource, subresource, name);
    }

    /**
     * The user that the request is made as. Whoever names groups decides about all of them, but nobody leaves both the group of
     * authenticated users and that of the others.
     */
    UserInfo effective() {
        List<String> all = new ArrayList<>(groups);
        if (all.isEmpty()) {
            account.ifPresent(who -> all.addAll(who.groups()));
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
