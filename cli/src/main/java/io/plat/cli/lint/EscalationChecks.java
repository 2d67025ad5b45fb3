package io.plat.cli.lint;

import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.request.AccessRequestText;
import io.plat.cli.request.Subjects;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.abac.AbacGrant;
import io.plat.engine.abac.AbacLine;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.matrix.SubjectUsers;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.review.Attributes;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Findings about privilege escalation, located at the grant of the first step's right. */
final class EscalationChecks {
    private final PolicyDocuments policy;
    private final Authorizer authorizer;
    private final Consumer<Finding> findings;

    EscalationChecks(PolicyDocuments policy, Consumer<Finding> findings) {
        this.policy = policy;
        this.authorizer = policy.authorizer();
        this.findings = findings;
    }

    void run() {
        RbacPolicy roles = policy.roles();
        PolicyAccess access = policy.access(new PolicyAccess.Vocabulary());
        EscalationSearch.of(access, namespaces(policy), roles == null ? RbacPolicy.EMPTY : roles)
                .forEach(this::escalation);
    }

    private static Set<String> namespaces(PolicyDocuments policy) {
        Set<String> namespaces = new TreeSet<>();
        RbacPolicy roles = policy.roles();
        if (roles != null) {
            for (RbacBinding binding : roles.bindings()) {
                namespaces.add(binding.key().namespace());
                binding.subjects().forEach(subject -> namespaces.add(subject.namespace()));
            }
        }
        if (policy.lines() != null) {
            policy.lines().lines().forEach(line -> namespaces.add(line.namespace()));
        }
        namespaces.removeAll(Set.of("", AbacLine.ANY));
        return namespaces;
    }

    private void escalation(Escalation escalation) {
        List<String> path = new ArrayList<>(List.of(Subjects.text(escalation.subject())));
        for (Escalation.Step step : escalation.steps()) {
            path.add(AccessRequestText.of(step.by()));
            if (!step.to().equals(SubjectName.EVERYBODY)) {
                path.add(Subjects.text(step.to()));
            }
        }
        Escalation.Step last = escalation.steps().getLast();
        String gain = gain(escalation, last);
        if (escalation.toEverything()) {
            path.add(gain);
        }
        findings.accept(new Finding(
                LintRule.of(escalation.kind()),
                where(escalation),
                Subjects.text(escalation.subject()) + ", who may "
                        + AccessRequestText.of(escalation.steps().getFirst().by()) + ", can gain " + gain,
                path));
    }

    private static String gain(Escalation escalation, Escalation.Step last) {
        if (!escalation.toEverything() && last.to().equals(SubjectName.EVERYBODY)) {
            return "the rights of the role " + last.by().name()
                    + (last.by().namespace().isEmpty()
                            ? ""
                            : " in namespace " + last.by().namespace());
        }
        if (!escalation.toEverything()) {
            return "the rights of " + Subjects.text(last.to());
        }
        boolean inNamespace = last.to().equals(SubjectName.EVERYBODY)
                && !last.by().namespace().isEmpty();
        return "every right" + (inNamespace ? " in namespace " + last.by().namespace() : "");
    }

    /** Returns the location of the grant of the first step's right. */
    private Location where(Escalation escalation) {
        return authorizer.authorize(new Attributes(
                                SubjectUsers.of(escalation.subject()),
                                escalation.steps().getFirst().by()))
                        instanceof Decision.Allow allow
                ? where(allow)
                : new Location("policy", 0);
    }

    private static Location where(Decision.Allow allow) {
        return switch (allow.grant()) {
            case AbacGrant line -> line.line().where();
            case RbacGrant role -> {
                Location where = role.binding().where();
                yield where == null ? new Location(role.binding().source(), 0) : where;
            }
            default -> new Location(allow.grant().source(), 0);
        };
    }
}
