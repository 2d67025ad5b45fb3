package io.plat.cli.lint;

import io.plat.cli.lint.Escalation.Step;
import io.plat.engine.access.AccessSet;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.matrix.SubjectUsers;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Privilege escalations under a policy: each subject that can reach rights beyond its own. Each step uses the rights of the subject that the
 * previous one reached. For a single use.
 */
public final class EscalationSearch {
    private final PolicyAccess policy;
    private final EscalationSteps steps;
    private final RoleRights roles;
    private final Map<SubjectName, AccessSet> rights = new HashMap<>();
    private final Map<SubjectName, List<Step>> stepsFrom = new HashMap<>();

    private EscalationSearch(PolicyAccess policy, Set<String> namespaces, RbacPolicy roles) {
        this.policy = policy;
        this.roles = new RoleRights(roles);
        this.steps = new EscalationSteps(policy, namespaces, this.roles);
    }

    /**
     * Returns the escalations of all subjects: for each kind of first step, the shortest one to all rights, or else the shortest one to any
     * right that the subject does not have.
     *
     * @param namespaces the namespaces of the policy
     * @param roles the roles that may be bound; their bindings are ignored
     */
    public static List<Escalation> of(PolicyAccess policy, Set<String> namespaces, RbacPolicy roles) {
        EscalationSearch search = new EscalationSearch(policy, new TreeSet<>(namespaces), roles);
        List<Escalation> escalations = new ArrayList<>();
        for (SubjectName subject : new TreeSet<>(policy.subjects())) {
            search.addEscalationsOf(subject, escalations);
        }
        return List.copyOf(escalations);
    }

    private void addEscalationsOf(SubjectName subject, List<Escalation> escalations) {
        boolean master = subject.equals(SubjectName.group(UserInfo.MASTERS));
        if (master || rights(subject).containsEverything("")) {
            return;
        }
        Set<Escalation.EscalationKind> kinds = EnumSet.noneOf(Escalation.EscalationKind.class);
        steps(subject).forEach(step -> kinds.add(step.kind()));
        for (Escalation.EscalationKind kind : kinds) {
            Escalation escalation = escalation(subject, kind);
            if (escalation != null) {
                escalations.add(escalation);
            }
        }
    }

    private AccessSet rights(SubjectName subject) {
        return rights.computeIfAbsent(subject, one -> rightsOf(one, policy));
    }

    /** Returns the rights of a subject, including those of the groups that any server adds. */
    private static AccessSet rightsOf(SubjectName subject, PolicyAccess policy) {
        UserInfo user = SubjectUsers.of(subject);
        AccessSet all = policy.of(SubjectName.EVERYBODY).or(policy.of(subject));
        if (!subject.inGroup().isEmpty()) {
            all = all.or(policy.of(SubjectName.user(user.name())));
        }
        for (String group : user.groups()) {
            all = all.or(policy.of(SubjectName.group(group)));
        }
        return all;
    }

    private List<Step> steps(SubjectName subject) {
        return stepsFrom.computeIfAbsent(subject, one -> steps.from(rights(one)));
    }

    /** A step, and the path that leads to it. */
    private record Path(@Nullable Path before, Step last) {
        List<Step> steps() {
            Deque<Step> all = new ArrayDeque<>();
            for (Path at = this; at != null; at = at.before) {
                all.addFirst(at.last);
            }
            return List.copyOf(all);
        }
    }

    private @Nullable Escalation escalation(SubjectName subject, Escalation.EscalationKind kind) {
        AccessSet own = rights(subject);
        Deque<Path> open = new ArrayDeque<>();
        Set<SubjectName> seen = new HashSet<>(Set.of(subject));
        steps(subject).stream().filter(step -> step.kind() == kind).forEach(step -> open.add(new Path(null, step)));
        Escalation found = null;
        while (!open.isEmpty()) {
            Path path = open.remove();
            Step step = path.last();
            if (isEverything(step)) {
                if (!own.containsEverything(
                        step.kind().leadsToEverything() ? step.by().namespace() : "")) {
                    return new Escalation(subject, path.steps(), true);
                }
            } else if (EscalationSteps.bindsOne(step)) {
                if (found == null && exceeds(bound(step), own)) {
                    found = new Escalation(subject, path.steps(), false);
                }
            } else if (seen.add(step.to())) {
                if (found == null && exceeds(rights(step.to()), own)) {
                    found = new Escalation(subject, path.steps(), false);
                }
                steps(step.to()).forEach(next -> open.add(new Path(path, next)));
            }
        }
        return found;
    }

    private static boolean exceeds(AccessSet rights, AccessSet others) {
        return !rights.minus(others).isEmpty();
    }

    private AccessSet bound(Step step) {
        return roles.of(EscalationSteps.roleOf(step), step.by().namespace());
    }

    /** Returns whether a step reaches all rights, in its namespace or everywhere. */
    private boolean isEverything(Step step) {
        if (EscalationSteps.bindsOne(step)) {
            return bound(step).containsEverything(step.by().namespace());
        }
        return step.kind().leadsToEverything()
                || step.to().equals(SubjectName.group(UserInfo.MASTERS))
                || rights(step.to()).containsEverything("");
    }

    /** Rights that roles grant to subjects of bindings. Not thread-safe. */
    static final class RoleRights {
        private static final String BOUND = "bound";

        private final List<RbacRole> roles;
        private final Map<BoundRole, AccessSet> rights = new HashMap<>();

        /** A role, bound in a namespace or, where that is {@code ""}, everywhere. */
        private record BoundRole(ObjectKey role, String namespace) {}

        RoleRights(RbacPolicy policy) {
            this.roles = policy.roles();
        }

        /** Returns the roles that a binding can refer to: in a namespace its own and cluster roles, everywhere cluster roles. */
        List<ObjectKey> boundIn(String namespace) {
            return roles.stream()
                    .map(RbacRole::key)
                    .filter(key -> key.kind() == RbacKind.CLUSTER_ROLE
                            || (!namespace.isEmpty() && key.namespace().equals(namespace)))
                    .sorted()
                    .toList();
        }

        AccessSet of(ObjectKey role, String namespace) {
            return rights.computeIfAbsent(new BoundRole(role, namespace), place -> {
                List<RbacSubject> subjects = List.of(RbacSubject.user(BOUND));
                RoleRef reference = role.kind() == RbacKind.CLUSTER_ROLE
                        ? RoleRef.clusterRole(role.name())
                        : RoleRef.role(role.name());
                RbacBinding binding = namespace.isEmpty()
                        ? RbacBinding.clusterRoleBinding(BOUND, reference, subjects)
                        : RbacBinding.roleBinding(namespace, BOUND, reference, subjects);
                PolicyAccess access = new PolicyAccess.Builder(new PolicyAccess.Vocabulary())
                        .add(new RbacPolicy(roles, List.of(binding)))
                        .build();
                return rightsOf(SubjectName.user(BOUND), access);
            });
        }
    }
}
