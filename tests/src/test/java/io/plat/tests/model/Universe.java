package io.plat.tests.model;

import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** A universe so small that random policies and requests match: few names of each kind, and everything that resembles a wildcard. */
final class Universe {
    /** Number of requests per random policy: the full run makes more than a hundred thousand pairs per property. */
    static final int REQUESTS = Boolean.getBoolean("plat.full") ? 800 : 40;

    /**
     * Number of explained requests per random policy: a property makes more than fifty thousand pairs in every run, and those of both modes
     * together a hundred thousand.
     */
    static final int EXPLAINED = Boolean.getBoolean("plat.full") ? 800 : 350;

    /** Number of requests whose suggestion is verified, and whose subjects are listed. */
    static final int TRIED = Boolean.getBoolean("plat.full") ? 100 : 10;

    /** Number of random policies per property. */
    static final int POLICIES = 150;

    static final List<String> API_GROUPS = List.of(
            "",
            "apps",
            "*",
            "authorization.k8s.io",
            "authorization.plat.io",
            "rbac.authorization.k8s.io",
            "rbac.authorization.plat.io");
    static final List<String> NAMESPACES = List.of("", "a", "b", "*");
    static final List<String> NAMES = List.of("", "x", "y", "*");
    static final List<String> GROUPS =
            List.of("dev", "ops", "*", "system:authenticated", "system:unauthenticated", "system:serviceaccounts:a");
    static final List<String> USERS =
            List.of("", "jane", "joe", "*", "system:serviceaccount:a:x", "system:serviceaccount:b:x", "system:masters");
    static final List<String> PATHS = List.of(
            "",
            "/",
            "/foo",
            "/foo/",
            "/foo/bar",
            "/foo/bar/baz",
            "/fo",
            "/foo*",
            "/foo/*",
            "/f*o",
            "*",
            "/*",
            "/version");
    private static final List<String> RESOURCE_VERBS = List.of(
            "get", "list", "watch", "create", "delete", "deletecollection", "use", "frobnicate", "head", "*", "");
    private static final List<String> PATH_VERBS = List.of("get", "post", "put", "head", "delete", "list", "*", "");

    private Universe() {}

    /** Every user with every pair of groups, and one with all groups: those that subject listings are compared with. */
    static List<UserInfo> everybody() {
        List<UserInfo> everybody = new ArrayList<>();
        List<String> groups = new ArrayList<>(GROUPS);
        groups.add("system:masters");
        for (String user : USERS) {
            everybody.add(new UserInfo(user, List.of()));
            everybody.add(new UserInfo(user, groups));
            for (int i = 0; i < groups.size(); i++) {
                for (int j = i; j < groups.size(); j++) {
                    everybody.add(new UserInfo(user, List.of(groups.get(i), groups.get(j))));
                }
            }
        }
        return everybody;
    }

    static Arbitrary<Attributes> requests() {
        return Combinators.combine(users(), Arbitraries.frequencyOf(Tuple.of(3, onResource()), Tuple.of(2, onPath())))
                .as((user, access) -> access.as(user));
    }

    /** A request without its user. */
    @FunctionalInterface
    interface Access {
        Attributes as(UserInfo user);
    }

    private static Arbitrary<UserInfo> users() {
        return Combinators.combine(
                        Arbitraries.of(USERS),
                        Arbitraries.of(GROUPS).list().ofMaxSize(3).uniqueElements())
                .as(UserInfo::new);
    }

    private static Arbitrary<Access> onResource() {
        return Combinators.combine(
                        Arbitraries.of(NAMESPACES),
                        Arbitraries.of(RESOURCE_VERBS),
                        Arbitraries.of(API_GROUPS),
                        Arbitraries.of("pods", "secrets", "*", "", "pods/log", "nodes"),
                        Arbitraries.of("", "", "log", "scale", "*"),
                        Arbitraries.of(NAMES))
                .as((namespace, verb, group, resource, subresource, name) -> user -> new Attributes(
                        user, new ResourceAttributes(namespace, verb, group, "v1", resource, subresource, name)));
    }

    private static Arbitrary<Access> onPath() {
        return Combinators.combine(Arbitraries.of(PATHS), Arbitraries.of(PATH_VERBS))
                .as((path, verb) -> user -> new Attributes(user, new NonResourceAttributes(path, verb)));
    }
}
