package io.plat.cli.replay;

import io.plat.cli.request.Subjects;
import io.plat.engine.access.AccessRow;
import io.plat.engine.access.AccessSet;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
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
    private static final int MAX_REQUESTS = 1_000_000;

    private final String user;
    private final boolean withNames;
    private final Set<Object> requests = new HashSet<>();

    /** Rules by namespace; {@code ""} for all namespaces. */
    private final SortedMap<String, Set<RbacRule>> rules = new TreeMap<>();

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
        if (!request.user().name().equals(user) || requests.size() >= MAX_REQUESTS || !requests.add(request.access())) {
            return;
        }
        RbacRule rule = RbacRule.of(request.access());
        String namespace = request.access() instanceof ResourceAttributes resource ? resource.namespace() : "";
        rules.computeIfAbsent(namespace, _ -> new LinkedHashSet<>()).add(withNames ? rule : withoutNames(rule));
    }

    private static RbacRule withoutNames(RbacRule rule) {
        return new RbacRule(
                rule.verbs(), rule.apiGroups(), rule.resources(), List.of(), rule.nonResourceUrls(), rule.where());
    }

    String user() {
        return user;
    }

    boolean hasRequests() {
        return !requests.isEmpty();
    }

    /** Returns the roles and their bindings; none if nothing was allowed. */
    List<RbacObject> objects() {
        List<RbacObject> objects = new ArrayList<>();
        RbacSubject subject = Subjects.bound(user);
        String name = "learned-" + user.replace('/', '-').replace('%', '-');
        rules.forEach((namespace, some) -> objects.addAll(RbacObject.grant(namespace, name, merged(some), subject)));
        return objects;
    }

    private static List<RbacRule> merged(Set<RbacRule> rules) {
        PolicyAccess.Vocabulary access = new PolicyAccess.Vocabulary();
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
