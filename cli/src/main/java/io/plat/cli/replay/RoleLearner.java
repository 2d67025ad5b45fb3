package io.plat.cli.replay;

import io.plat.engine.access.AccessRow;
import io.plat.engine.access.AccessSet;
import io.plat.engine.access.RuleAccess;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.SubjectName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The access that one user was allowed, and the minimal roles that cover it: exactly those verbs, resources, names and namespaces. A verb
 * without an object is granted without names, as no name covers it.
 */
final class RoleLearner {
    private static final int MAX = 1_000_000;

    private final String user;
    private final boolean withNames;
    private final Set<Object> seen = new HashSet<>();
    private final SortedMap<String, Set<RbacRule>> inNamespace = new TreeMap<>();
    private final Set<RbacRule> everywhere = new LinkedHashSet<>();

    /**
     * Creates a collector for a user.
     *
     * @param withNames whether only the objects that the user accessed are granted
     */
    RoleLearner(String user, boolean withNames) {
        this.user = user;
        this.withNames = withNames;
    }

    void add(Attributes request) {
        if (!request.user().name().equals(user) || seen.size() >= MAX || !seen.add(request.access())) {
            return;
        }
        switch (request.access()) {
            case ResourceAttributes resource -> {
                Set<RbacRule> there = resource.namespace().isEmpty()
                        ? everywhere
                        : inNamespace.computeIfAbsent(resource.namespace(), one -> new LinkedHashSet<>());
                there.add(rule(resource));
            }
            case NonResourceAttributes path ->
                everywhere.add(RbacRule.onPaths(List.of(path.verb()), List.of(path.path())));
        }
    }

    private RbacRule rule(ResourceAttributes request) {
        String resource =
                request.subresource().isEmpty() ? request.resource() : request.resource() + "/" + request.subresource();
        boolean named = withNames && !request.name().isEmpty();
        return new RbacRule(
                List.of(request.verb()),
                List.of(request.group()),
                List.of(resource),
                named ? List.of(request.name()) : List.of(),
                List.of(),
                null);
    }

    String user() {
        return user;
    }

    boolean met() {
        return !seen.isEmpty();
    }

    /** Returns the roles and their bindings; none if nothing was allowed. */
    List<RbacObject> objects() {
        List<RbacObject> objects = new ArrayList<>();
        SubjectName who = SubjectName.user(user);
        RbacSubject subject = who.kind() == SubjectName.Kind.SERVICE_ACCOUNT
                ? RbacSubject.serviceAccount(who.namespace(), who.name())
                : RbacSubject.user(user);
        String name = "learned-" + user.replace('/', '-').replace('%', '-');
        if (!everywhere.isEmpty()) {
            objects.add(RbacRole.clusterRole(name, merged(everywhere)));
            objects.add(RbacBinding.clusterRoleBinding(name, RoleRef.clusterRole(name), List.of(subject)));
        }
        inNamespace.forEach((namespace, rules) -> {
            objects.add(RbacRole.role(namespace, name, merged(rules)));
            objects.add(RbacBinding.roleBinding(namespace, name, RoleRef.role(name), List.of(subject)));
        });
        return objects;
    }

    private static List<RbacRule> merged(Set<RbacRule> rules) {
        RuleAccess access = new RuleAccess();
        AccessSet all = AccessSet.NONE;
        for (RbacRule rule : rules) {
            all = all.or(access.everywhere(rule));
        }
        List<RbacRule> merged = new ArrayList<>();
        for (AccessRow row : all.rows()) {
            AccessRow.Columns kept = row.kept();
            merged.add(new RbacRule(
                    kept.verbs(),
                    kept.apiGroups(),
                    kept.resources(),
                    kept.resourceNames(),
                    kept.nonResourceUrls(),
                    null));
        }
        return merged;
    }
}
