package io.plat.cli.lint;

import io.plat.cli.escalation.Escalation;
import io.plat.cli.escalation.Escalation.EscalationKind;
import io.plat.cli.escalation.EscalationSearch;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.policy.SubjectText;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.abac.AbacGrant;
import io.plat.engine.abac.AbacLine;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
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
        List<String> path = new ArrayList<>(List.of(SubjectText.of(escalation.subject())));
        for (Escalation.Step step : escalation.steps()) {
            path.add(text(step.by()));
            if (!step.to().equals(SubjectName.EVERYBODY)) {
                path.add(SubjectText.of(step.to()));
            }
        }
        Escalation.Step last = escalation.steps().getLast();
        String power = power(escalation, last);
        if (escalation.toEverything()) {
            path.add(power);
        }
        findings.accept(new Finding(
                rule(escalation.kind()),
                where(escalation),
                SubjectText.of(escalation.subject()) + ", who may "
                        + text(escalation.steps().getFirst().by()) + ", can gain " + power,
                path));
    }

    private static String power(Escalation escalation, Escalation.Step last) {
        if (!escalation.toEverything() && last.to().equals(SubjectName.EVERYBODY)) {
            return "the rights of the role " + last.by().name()
                    + (last.by().namespace().isEmpty()
                            ? ""
                            : " in namespace " + last.by().namespace());
        }
        if (!escalation.toEverything()) {
            return "the rights of " + SubjectText.of(last.to());
        }
        boolean placed = last.to().equals(SubjectName.EVERYBODY)
                && !last.by().namespace().isEmpty();
        return "every right" + (placed ? " in namespace " + last.by().namespace() : "");
    }

    private static LintRule rule(EscalationKind kind) {
        return switch (kind) {
            case ESCALATE -> LintRule.CLIMB_ESCALATE;
            case BIND -> LintRule.CLIMB_BIND;
            case IMPERSONATE -> LintRule.CLIMB_IMPERSONATE;
            case TOKEN -> LintRule.CLIMB_TOKEN;
            case POD -> LintRule.CLIMB_POD;
            case EXEC -> LintRule.CLIMB_EXEC;
            case CERTIFICATE -> LintRule.CLIMB_CERTIFICATE;
        };
    }

    private static String text(ResourceAttributes by) {
        String resource = by.subresource().isEmpty() ? by.resource() : by.resource() + "/" + by.subresource();
        return by.verb() + " " + resource + (by.group().isEmpty() ? "" : "." + by.group())
                + (by.name().isEmpty() ? "" : " named " + by.name())
                + (by.namespace().isEmpty() ? "" : " in " + by.namespace());
    }

    /** Returns the location of the grant of the first step's right. */
    private Location where(Escalation escalation) {
        UserInfo user = user(escalation.subject());
        return authorizer.authorize(new Attributes(
                                user, escalation.steps().getFirst().by()))
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

    private static UserInfo user(SubjectName subject) {
        List<String> groups = new ArrayList<>(List.of(UserInfo.AUTHENTICATED));
        if (!subject.inGroup().isEmpty()) {
            groups.add(subject.inGroup());
        }
        return switch (subject.kind()) {
            case EVERYBODY -> new UserInfo("", groups);
            case GROUP -> {
                groups.add(subject.name());
                yield new UserInfo("", groups);
            }
            case USER -> new UserInfo(subject.name(), groups);
            case SERVICE_ACCOUNT -> {
                groups.add(UserInfo.SERVICE_ACCOUNTS);
                groups.add(UserInfo.serviceAccountsOf(subject.namespace()));
                yield new UserInfo(UserInfo.serviceAccountUser(subject.namespace(), subject.name()), groups);
            }
        };
    }
}
