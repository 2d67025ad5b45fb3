package io.plat.cli.lint;

import io.plat.cli.lint.Escalation.Step;
import io.plat.engine.access.AccessSet;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacKind;
import io.plat.review.ApiGroups;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Escalation steps that a set of rights allows, among the subjects of a policy. */
final class EscalationSteps {
    private static final String CERTIFICATES = "certificates.k8s.io";
    private static final String REQUESTS = "certificatesigningrequests";

    /** Access that creates pods. */
    private static final List<ResourceAttributes> POD_CREATION = List.of(
            access("", "create", "", "pods", ""),
            access("", "create", "", "replicationcontrollers", ""),
            access("", "create", "apps", "deployments", ""),
            access("", "create", "apps", "statefulsets", ""),
            access("", "create", "apps", "daemonsets", ""),
            access("", "create", "apps", "replicasets", ""),
            access("", "create", "batch", "jobs", ""),
            access("", "create", "batch", "cronjobs", ""));

    /** Access that runs a command in an existing pod; either verb, as clients connect with GET or POST. */
    private static final List<ResourceAttributes> POD_EXECUTION = List.of(
            access("", "create", "", "pods/exec", ""),
            access("", "get", "", "pods/exec", ""),
            access("", "create", "", "pods/attach", ""),
            access("", "get", "", "pods/attach", ""),
            access("", "update", "", "pods/ephemeralcontainers", ""),
            access("", "patch", "", "pods/ephemeralcontainers", ""));

    /** Access that creates a token for a service account. */
    private static final List<ResourceAttributes> TOKEN_CREATION =
            List.of(access("", "create", "", "serviceaccounts/token", ""));

    private final List<SubjectName> accounts;
    private final List<SubjectName> users;
    private final List<SubjectName> groups;
    private final Set<String> namespaces;

    private final EscalationSearch.RoleRights bindable;

    /**
     * Creates the steps among the subjects of a policy.
     *
     * @param namespaces where roles and bindings may be written
     * @param bindable the roles that may be bound
     */
    EscalationSteps(PolicyAccess policy, Set<String> namespaces, EscalationSearch.RoleRights bindable) {
        this.bindable = bindable;
        Set<SubjectName> all = new LinkedHashSet<>(new TreeSet<>(policy.subjects()));
        for (SubjectName subject : List.copyOf(all)) {
            String prefix = UserInfo.SERVICE_ACCOUNTS + ":";
            if (subject.kind() == SubjectName.Kind.GROUP && subject.name().startsWith(prefix)) {
                // Every namespace has a service account of this name, which is in the group.
                all.add(SubjectName.user(
                        UserInfo.serviceAccountUser(subject.name().substring(prefix.length()), "default")));
            }
        }
        this.accounts = of(SubjectName.Kind.SERVICE_ACCOUNT, all);
        this.users = of(SubjectName.Kind.USER, all);
        this.groups = of(SubjectName.Kind.GROUP, all);
        this.namespaces = namespaces;
    }

    private static List<SubjectName> of(SubjectName.Kind kind, Set<SubjectName> all) {
        return all.stream()
                .filter(one -> one.kind() == kind && one.inGroup().isEmpty())
                .toList();
    }

    /** Returns every step from these rights, in the order of their kinds. */
    List<Step> from(AccessSet rights) {
        List<Step> steps = new ArrayList<>();
        roles(Escalation.EscalationKind.ESCALATE, rights, steps);
        roles(Escalation.EscalationKind.BIND, rights, steps);
        named(rights, steps);
        impersonate(rights, steps);
        asAccounts(Escalation.EscalationKind.TOKEN, TOKEN_CREATION, rights, steps);
        asAccounts(Escalation.EscalationKind.POD, POD_CREATION, rights, steps);
        asAccounts(Escalation.EscalationKind.EXEC, POD_EXECUTION, rights, steps);
        certificates(rights, steps);
        return steps;
    }

    private static ResourceAttributes access(
            String namespace, String verb, String group, String resource, String name) {
        return ResourceAttributes.ofWritten(namespace, verb, group, resource, name);
    }

    private static ResourceAttributes role(String namespace, String verb, String resource) {
        return access(namespace, verb, ApiGroups.RBAC, resource, "");
    }

    /** Adds steps of subjects that may write a role, or a binding, without holding its rights. */
    private void roles(Escalation.EscalationKind kind, AccessSet rights, List<Step> steps) {
        boolean binds = kind == Escalation.EscalationKind.BIND;
        if (!rights.containsSomewhere(role("", kind.word(), "roles"))
                && !rights.containsSomewhere(role("", kind.word(), "clusterroles"))) {
            return;
        }
        if (rights.contains(role("", kind.word(), "clusterroles"))
                && writes(rights, "", binds ? "clusterrolebindings" : "clusterroles", binds)) {
            steps.add(new Step(kind, role("", kind.word(), "clusterroles"), SubjectName.EVERYBODY));
            return;
        }
        for (String namespace : namespaces) {
            String resource =
                    binds && rights.contains(role(namespace, "bind", "clusterroles")) ? "clusterroles" : "roles";
            if (rights.contains(role(namespace, kind.word(), resource))
                    && writes(rights, namespace, binds ? "rolebindings" : "roles", binds)) {
                steps.add(new Step(kind, role(namespace, kind.word(), resource), SubjectName.EVERYBODY));
            }
        }
    }

    /** A binding must be new, as its roleRef is immutable; a role may exist. */
    private static boolean writes(AccessSet rights, String namespace, String resource, boolean onlyNew) {
        return rights.contains(role(namespace, "create", resource))
                || (!onlyNew
                        && (rights.containsOfSomeName(role(namespace, "update", resource))
                                || rights.containsOfSomeName(role(namespace, "patch", resource))));
    }

    /** Adds steps of subjects that may bind a role by its name, and write a binding. */
    private void named(AccessSet rights, List<Step> steps) {
        if (!rights.containsSomewhere(role("", "bind", "roles"))
                && !rights.containsSomewhere(role("", "bind", "clusterroles"))) {
            return;
        }
        named("", "clusterrolebindings", rights, steps);
        namespaces.forEach(namespace -> named(namespace, "rolebindings", rights, steps));
    }

    private void named(String namespace, String bindings, AccessSet rights, List<Step> steps) {
        if (!writes(rights, namespace, bindings, true)) {
            return;
        }
        for (ObjectKey role : bindable.boundIn(namespace)) {
            ResourceAttributes by =
                    access(namespace, "bind", ApiGroups.RBAC, role.kind().resource(), role.name());
            if (rights.contains(by)) {
                steps.add(new Step(Escalation.EscalationKind.BIND, by, SubjectName.EVERYBODY));
            }
        }
    }

    /** Returns whether a step binds one role by its name. */
    static boolean bindsOne(Step step) {
        return step.kind() == Escalation.EscalationKind.BIND
                && !step.by().name().isEmpty();
    }

    static ObjectKey roleOf(Step step) {
        boolean cluster = step.by().resource().equals(RbacKind.CLUSTER_ROLE.resource());
        return new ObjectKey(
                cluster ? RbacKind.CLUSTER_ROLE : RbacKind.ROLE,
                cluster ? "" : step.by().namespace(),
                step.by().name());
    }

    private void impersonate(AccessSet rights, List<Step> steps) {
        int before = steps.size();
        if (rights.containsSomewhere(access("", "impersonate", "", "users", ""))) {
            each(rights, users, steps);
        }
        if (rights.containsSomewhere(access("", "impersonate", "", "serviceaccounts", ""))) {
            each(rights, accounts, steps);
        }
        boolean anyUser = rights.containsOfSomeName(access("", "impersonate", "", "users", ""))
                || rights.containsSomewhere(access("", "impersonate", "", "serviceaccounts", ""));
        if (!anyUser || !rights.containsSomewhere(access("", "impersonate", "", "groups", ""))) {
            return;
        }
        ResourceAttributes masters = access("", "impersonate", "", "groups", UserInfo.MASTERS);
        if (rights.contains(masters)) {
            steps.add(
                    before,
                    new Step(Escalation.EscalationKind.IMPERSONATE, masters, SubjectName.group(UserInfo.MASTERS)));
        }
        each(rights, groups, steps);
    }

    private static void each(AccessSet rights, List<SubjectName> subjects, List<Step> steps) {
        for (SubjectName subject : subjects) {
            ResourceAttributes by = impersonation(subject);
            if (rights.contains(by)) {
                steps.add(new Step(Escalation.EscalationKind.IMPERSONATE, by, subject));
            }
        }
    }

    /** A service account is identified as such, even if a request gives its user name. */
    private static ResourceAttributes impersonation(SubjectName subject) {
        return switch (subject.kind()) {
            case GROUP -> access("", "impersonate", "", "groups", subject.name());
            case USER, EVERYBODY -> access("", "impersonate", "", "users", subject.name());
            case SERVICE_ACCOUNT -> access(subject.namespace(), "impersonate", "", "serviceaccounts", subject.name());
        };
    }

    /**
     * Adds steps to service accounts by any of some accesses: to those of a namespace, or, by a token, to one. A right that is limited to pods by name
     * is left out: the policy does not contain their service accounts.
     */
    private void asAccounts(
            Escalation.EscalationKind kind, List<ResourceAttributes> accesses, AccessSet rights, List<Step> steps) {
        List<ResourceAttributes> usable =
                accesses.stream().filter(rights::containsSomewhere).toList();
        if (usable.isEmpty()) {
            return;
        }
        for (SubjectName account : accounts) {
            String name = kind == Escalation.EscalationKind.TOKEN ? account.name() : "";
            usable.stream()
                    .map(one -> access(account.namespace(), one.verb(), one.group(), one.written(), name))
                    .filter(rights::contains)
                    .findFirst()
                    .ifPresent(by -> steps.add(new Step(kind, by, account)));
        }
    }

    private static void certificates(AccessSet rights, List<Step> steps) {
        ResourceAttributes request = access("", "create", CERTIFICATES, REQUESTS, "");
        boolean approves = rights.containsOfSomeName(access("", "approve", CERTIFICATES, "signers", ""))
                && writesPart(rights, "approval");
        boolean signs = rights.containsOfSomeName(access("", "sign", CERTIFICATES, "signers", ""))
                && writesPart(rights, "status");
        if (rights.contains(request) && (approves || signs)) {
            steps.add(new Step(Escalation.EscalationKind.CERTIFICATE, request, SubjectName.EVERYBODY));
        }
    }

    private static boolean writesPart(AccessSet rights, String part) {
        return rights.containsOfSomeName(access("", "update", CERTIFICATES, REQUESTS + "/" + part, ""))
                || rights.containsOfSomeName(access("", "patch", CERTIFICATES, REQUESTS + "/" + part, ""));
    }
}
