package io.plat.tests.model;

import java.util.List;
import java.util.Set;

/** API groups with an alias. */
final class Aliases {
    private static final List<Set<String>> SAME = List.of(
            Set.of("authorization.plat.io", "authorization.k8s.io"),
            Set.of("rbac.authorization.plat.io", "rbac.authorization.k8s.io"));

    private Aliases() {}

    static boolean sameGroup(String one, String other) {
        return one.equals(other) || SAME.stream().anyMatch(names -> names.contains(one) && names.contains(other));
    }
}
