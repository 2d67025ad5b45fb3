package io.plat.apiserver.filter;

import io.plat.apiserver.authentication.AccountName;
import io.plat.apiserver.authentication.FrontProxyAuthenticator;
import io.plat.review.AccessAttributes;
import io.plat.review.NameRule;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.json.JsonText;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Requested impersonation: the header fields {@code Impersonate-User}, {@code -Group}, {@code -Uid} and {@code -Extra-KEY}, parsed as by
 * kube-apiserver.
 *
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

    /** Mode that is granted without constraints on the request. */
    static final String UNCONSTRAINED = "";

    private static final String ASSOCIATED_NODE = "associated-node";
    private static final String NODE_USER = "system:node:";

    /** Groups that no constrained mode grants. */
    private static final List<String> REFUSED_GROUPS = List.of("", UserInfo.MASTERS);

    Impersonation {
        groups = List.copyOf(groups);
        // UserInfo bounds the cost of hash collisions; Map.copyOf would not.
        extra = new LinkedHashMap<>(extra);
    }

    static boolean isRequested(IncomingRequest incoming) {
        return incoming.hasHeader(Impersonation::isImpersonationHeader);
    }

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

    /**
     * Returns the modes that may permit the impersonation, in the order in which kube-apiserver tries them: the constrained ones
     * (KEP-5284) also depend on the request that is made.
     */
    List<String> modes(UserInfo caller) {
        List<String> modes = new ArrayList<>();
        boolean userOnly = uid.isEmpty() && groups.isEmpty() && extra.isEmpty();
        if (node().isPresent() && userOnly) {
            if (AccountName.isOnNode(caller, node().get())) {
                modes.add(ASSOCIATED_NODE);
            }
            modes.add("arbitrary-node");
        } else if (account.isPresent() && userOnly) {
            modes.add("serviceaccount");
        } else if (node().isEmpty() && account.isEmpty()) {
            modes.add("user-info");
        }
        modes.add(UNCONSTRAINED);
        return modes;
    }

    /** Returns the node of the user name, if it is that of a node. */
    private Optional<String> node() {
        return Optional.of(user)
                .filter(name -> name.startsWith(NODE_USER))
                .map(name -> name.substring(NODE_USER.length()))
                .filter(name -> NameRule.SUBDOMAIN.problems(name).isEmpty());
    }

    /**
     * Permission that a mode requires.
     *
     * @param refusal reason why it is never granted, or {@code ""}
     */
    record Permission(AccessAttributes access, String refusal) {}

    /** Returns the permissions that a mode requires, each checked separately and in this order. */
    List<Permission> requiredPermissions(String mode, AccessAttributes request) {
        boolean constrained = !mode.equals(UNCONSTRAINED);
        String group = constrained ? AUTHENTICATION : "";
        String verb = constrained ? VERB + ":" + mode : VERB;
        List<Permission> permissions = new ArrayList<>();
        BiConsumer<ResourceAttributes, String> requires =
                (access, refusal) -> permissions.add(new Permission(access.withVerb(verb), refusal));
        if (constrained) {
            String requestVerb = VERB + "-on:" + mode + ":" + request.verb();
            permissions.add(new Permission(request.withVerb(requestVerb), ""));
        }
        if (account.isPresent()) {
            AccountName name = account.get();
            requires.accept(access(name.namespace(), group, "serviceaccounts", "", name.name()), "");
        } else if (constrained && node().isPresent()) {
            // The node of the caller is no part of what is granted.
            String name = mode.equals(ASSOCIATED_NODE) ? "*" : node().get();
            requires.accept(access("", group, "nodes", "", name), "");
        } else {
            requires.accept(access("", group, "users", "", user), "");
        }
        if (!uid.isEmpty()) {
            requires.accept(access("", AUTHENTICATION, "uids", "", uid), "");
        }
        REFUSED_GROUPS.forEach(name -> {
            if (constrained && groups.contains(name)) {
                String shown = name.isEmpty() ? "empty string" : name;
                requires.accept(
                        access("", group, "groups", "", name), "impersonating the " + shown + " group is not allowed");
            }
        });
        groups.forEach(name -> requires.accept(access("", group, "groups", "", name), ""));
        extra.forEach((key, values) -> {
            String problem = keyProblem(key, values);
            if (constrained && !problem.isEmpty()) {
                requires.accept(access("", AUTHENTICATION, "userextras", "", ""), problem);
            }
        });
        extra.forEach((key, values) ->
                values.forEach(value -> requires.accept(access("", AUTHENTICATION, "userextras", key, value), "")));
        return permissions;
    }

    /** Returns the reason why an extra field cannot be impersonated under constraints; {@code ""} if it can. */
    private static String keyProblem(String key, List<String> values) {
        if (key.isEmpty()) {
            return "impersonating the empty string key in extra is not allowed";
        }
        int slash = key.indexOf('/');
        if (slash <= 0 || slash == key.length() - 1) {
            return "impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "
                    + JsonText.quoted(key) + ": must be a domain-prefixed path (such as \"acme.io/foo\")";
        }
        return values.contains("") ? "impersonating the empty string value in extra is not allowed" : "";
    }

    private static ResourceAttributes access(
            String namespace, String group, String resource, String subresource, String name) {
        return new ResourceAttributes(namespace, VERB, group, group.isEmpty() ? "" : "v1", resource, subresource, name);
    }

    /**
     * Returns the impersonated user. Requested groups replace the defaults, but every user is a member of either the authenticated or the
     * unauthenticated group.
     */
    UserInfo effective(String mode) {
        List<String> all = new ArrayList<>(groups);
        if (!mode.equals(UNCONSTRAINED) && node().isPresent()) {
            all.add("system:nodes");
        }
        if (all.isEmpty()) {
            account.ifPresent(name -> all.addAll(name.groups()));
        }
        return new UserInfo(user, uid, all, extra).withImpliedGroup();
    }
}
