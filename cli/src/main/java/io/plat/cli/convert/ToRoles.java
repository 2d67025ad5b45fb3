package io.plat.cli.convert;

import io.plat.cli.request.Subjects;
import io.plat.engine.abac.AbacLine;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.access.PolicyChange;
import io.plat.engine.rbac.FieldProblem;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RbacValidation;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Conversion of a policy file to role objects: for each subject a role in every namespace of its lines, and a cluster role for the rest. Used
 * once.
 */
final class ToRoles {
    private static final List<String> READS = List.of("get", "list", "watch");
    private static final List<String> ALL = List.of(RbacRule.ALL);

    private final ConvertCommand.KnownSubresources known;
    private final List<String> unconverted = new ArrayList<>();
    private final Set<String> assumed = new LinkedHashSet<>();
    /** Lines that were converted to rules. */
    private final List<AbacLine> result = new ArrayList<>();

    private final Map<RoleScope, List<RbacRule>> rules = new LinkedHashMap<>();

    /** Subject and namespace of a role; {@code ""} for all namespaces. */
    private record RoleScope(RbacSubject subject, String namespace) {}

    private ToRoles(ConvertCommand.KnownSubresources known) {
        this.known = known;
    }

    /**
     * Returns role objects that are equivalent to the lines.
     *
     * @throws IllegalStateException if they would not: a defect
     */
    static ConvertCommand.ConversionResult of(AbacPolicy policy, ConvertCommand.KnownSubresources known) {
        ToRoles conversion = new ToRoles(known);
        policy.lines().forEach(conversion::line);
        List<RbacObject> objects = conversion.objects();
        conversion.verify(objects);
        return new ConvertCommand.ConversionResult(
                Manifests.text(objects),
                Manifests.document(objects),
                conversion.unconverted,
                List.copyOf(conversion.assumed));
    }

    private void line(AbacLine line) {
        if (line.user().isEmpty() && line.group().isEmpty()) {
            return;
        }
        String user = line.user().equals(AbacLine.ANY) ? "" : line.user();
        String group = line.group().equals(AbacLine.ANY) ? "" : line.group();
        if (!user.isEmpty() && !group.isEmpty()) {
            unconverted(line, "it is for a user within a group, and a binding has one or the other");
            return;
        }
        if (user.isEmpty() && group.isEmpty()) {
            assumed.add("every request is in " + UserInfo.AUTHENTICATED + " or in " + UserInfo.UNAUTHENTICATED
                    + ", which replace user \"*\"");
            add(line, RbacSubject.group(UserInfo.AUTHENTICATED));
            add(line, RbacSubject.group(UserInfo.UNAUTHENTICATED));
            return;
        }
        add(line, user.isEmpty() ? RbacSubject.group(group) : Subjects.bound(user));
    }

    private void add(AbacLine line, RbacSubject subject) {
        List<String> verbs = line.readonly() ? READS : ALL;
        if (!line.resource().isEmpty() && line.resource().indexOf('/') < 0) {
            addResources(line, subject, verbs);
        }
        if (!line.nonResourcePath().isEmpty()) {
            if (put(line, subject, "", RbacRule.onPaths(verbs, List.of(line.nonResourcePath())))) {
                result.add(line(line, subject, "", "", line.nonResourcePath()));
            }
        }
    }

    private void addResources(AbacLine line, RbacSubject subject, List<String> verbs) {
        String resource = line.resource();
        boolean everywhere = line.namespace().equals(AbacLine.ANY);
        if (line.namespace().isEmpty()) {
            if (!known.isOutsideOfNamespaces(resource)) {
                unconverted(line, "it is for requests without a namespace, and no binding is for only those");
                return;
            }
            assumed.add("no request for " + resource + " has a namespace");
            everywhere = true;
        }
        boolean all = resource.equals(AbacLine.ANY);
        String namespace = everywhere ? "" : line.namespace();
        List<String> written = all ? ALL : known.written(resource);
        if (put(line, subject, namespace, RbacRule.onResources(verbs, List.of(line.apiGroup()), written))) {
            result.add(line(line, subject, everywhere ? AbacLine.ANY : namespace, resource, ""));
            if (!all) {
                assumed.add(
                        known.isKnown(resource)
                                ? "built-in types have only the subresources of Kubernetes"
                                : resource + " has only the subresources status and scale");
            }
        }
    }

    /** Returns the part of a line that became a rule. */
    private static AbacLine line(AbacLine line, RbacSubject subject, String namespace, String resource, String path) {
        boolean group = subject.kind().equals(RbacSubject.GROUP);
        String user = subject.kind().equals(RbacSubject.USER) ? subject.name() : subject.serviceAccountUser("");
        return new AbacLine(
                line.where(),
                line.text(),
                group ? "" : user,
                group ? subject.name() : "",
                line.readonly(),
                line.apiGroup(),
                namespace,
                resource,
                path);
    }

    /** Adds a rule, if objects with it are valid. */
    private boolean put(AbacLine line, RbacSubject subject, String namespace, RbacRule rule) {
        RoleScope scope = new RoleScope(subject, namespace);
        for (RbacObject object : RbacObject.grant(scope.namespace(), "name", List.of(rule), subject)) {
            List<FieldProblem> problems = RbacValidation.problemsOf(object);
            if (!problems.isEmpty()) {
                unconverted(
                        line,
                        problems.getFirst().field() + ": " + problems.getFirst().message());
                return false;
            }
        }
        List<RbacRule> existing = rules.computeIfAbsent(scope, _ -> new ArrayList<>());
        if (!existing.contains(rule)) {
            existing.add(rule);
        }
        return true;
    }

    private void unconverted(AbacLine line, String cause) {
        unconverted.add(line.where() + ": cannot be converted to role objects: " + cause);
    }

    private List<RbacObject> objects() {
        List<RbacObject> objects = new ArrayList<>();
        rules.forEach((scope, some) -> objects.addAll(
                RbacObject.grant(scope.namespace(), "from-abac-" + (objects.size() / 2 + 1), some, scope.subject())));
        return objects;
    }

    private void verify(List<RbacObject> objects) {
        PolicyAccess.Vocabulary vocabulary = new PolicyAccess.Vocabulary(known);
        PolicyChange change = PolicyChange.asWritten(
                PolicyAccess.of(new AbacPolicy(result), null, vocabulary),
                PolicyAccess.of(null, RbacPolicy.of(objects), vocabulary));
        if (!change.isEmpty()) {
            throw new IllegalStateException("role objects that decide otherwise: " + change);
        }
    }
}
