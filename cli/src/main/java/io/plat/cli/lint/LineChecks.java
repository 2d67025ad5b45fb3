package io.plat.cli.lint;

import io.plat.engine.abac.AbacLine;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.rbac.RbacSubject;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Checks of the lines of policy files. */
final class LineChecks {
    /** Maximum number of lines of one subject that are compared with each other. */
    private static final int MAX_COMPARED = 2000;

    private final Consumer<Finding> findings;
    private final PolicyAccess.Vocabulary covered = new PolicyAccess.Vocabulary();

    LineChecks(Consumer<Finding> findings) {
        this.findings = findings;
    }

    void run(AbacPolicy policy) {
        Map<List<String>, AbacLine> seen = new HashMap<>();
        Map<List<String>, List<AbacLine>> bySubject = new HashMap<>();
        for (AbacLine line : policy.lines()) {
            AbacLine first = seen.putIfAbsent(content(line), line);
            if (first != null) {
                find(LintRule.DUPLICATE_LINE, line, "duplicates " + first.where());
            } else if (!dead(line)) {
                dangerous(line);
                bySubject
                        .computeIfAbsent(List.of(line.user(), line.group()), _ -> new ArrayList<>())
                        .add(line);
            }
        }
        bySubject.values().forEach(this::shadowed);
    }

    private static List<String> content(AbacLine line) {
        return List.of(
                line.user(),
                line.group(),
                String.valueOf(line.readonly()),
                line.apiGroup(),
                line.namespace(),
                line.resource(),
                line.nonResourcePath());
    }

    private boolean dead(AbacLine line) {
        boolean noSubject = line.user().isEmpty() && line.group().isEmpty();
        boolean nothing = line.resource().isEmpty() && line.nonResourcePath().isEmpty();
        if (noSubject) {
            find(LintRule.DEAD_LINE, line, "names neither a user nor a group, so it matches no request");
        } else if (nothing) {
            find(LintRule.DEAD_LINE, line, "names neither a resource nor a path, so it covers nothing");
        }
        boolean slash = line.resource().indexOf('/') >= 0;
        if (slash) {
            find(
                    LintRule.DEAD_LINE,
                    line,
                    "the resource " + Quoted.of(line.resource())
                            + " matches nothing; a line for the resource covers its subresources");
        }
        impossible(line, "user " + Quoted.of(line.user()), ImpossibleNames.user(line.user()));
        impossible(line, "group " + Quoted.of(line.group()), ImpossibleNames.group(line.group()));
        return noSubject || nothing || (slash && line.nonResourcePath().isEmpty());
    }

    private void impossible(AbacLine line, String subject, String cause) {
        if (!cause.isEmpty()) {
            find(LintRule.IMPOSSIBLE_SUBJECT, line, subject + ": " + cause);
        }
    }

    private void dangerous(AbacLine line) {
        List<String> wildcards = new ArrayList<>();
        if (!line.resource().isEmpty()) {
            RoleChecks.note("resources", List.of(line.resource()), wildcards);
            RoleChecks.note("API groups", List.of(line.apiGroup()), wildcards);
            RoleChecks.note("namespaces", List.of(line.namespace()), wildcards);
        }
        RoleChecks.note("paths", List.of(line.nonResourcePath()), wildcards);
        boolean anySubject = line.user().equals(AbacLine.ANY) || line.group().equals(AbacLine.ANY);
        String subject =
                anySubject ? "every user" : line.user().isEmpty() ? "Group " + line.group() : "User " + line.user();
        if (!wildcards.isEmpty() || anySubject) {
            String access = wildcards.isEmpty() ? "access" : "access to all " + RoleChecks.listed(wildcards);
            find(LintRule.WILDCARD, line, "grants " + subject + " " + access);
        }
        boolean secrets = line.resource().equals("secrets") || line.resource().equals(AbacLine.ANY);
        if (secrets && (line.apiGroup().isEmpty() || line.apiGroup().equals(AbacLine.ANY))) {
            String where = line.namespace().equals(AbacLine.ANY) ? "all namespaces" : "namespace " + line.namespace();
            find(LintRule.SECRET_ACCESS, line, "lets " + subject + " read secrets in " + where);
        }
    }

    private void shadowed(List<AbacLine> lines) {
        if (lines.size() < 2 || lines.size() > MAX_COMPARED) {
            return;
        }
        for (int i : Finding.redundant(lines.stream().map(covered::of).toList())) {
            find(LintRule.SHADOWED_LINE, lines.get(i), "grants nothing beyond the other lines for its subject");
        }
    }

    private void find(LintRule rule, AbacLine line, String message) {
        findings.accept(Finding.of(rule, line.where(), message));
    }

    /** Subjects that no request can have. */
    static final class ImpossibleNames {
        private static final Pattern OBJECT_NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
        private static final Set<String> GROUPS =
                Set.of(UserInfo.AUTHENTICATED, UserInfo.UNAUTHENTICATED, UserInfo.MASTERS, UserInfo.SERVICE_ACCOUNTS);

        private ImpossibleNames() {}

        /** Returns the reason for which this subject of a binding cannot exist, or {@code ""}. */
        static String cause(RbacSubject subject) {
            return switch (subject.kind()) {
                case RbacSubject.SERVICE_ACCOUNT -> account(subject);
                case RbacSubject.USER ->
                    subject.name().equals("*") ? "\"*\" is a user of that name, not everybody" : user(subject.name());
                case RbacSubject.GROUP ->
                    subject.name().equals("*") ? "\"*\" is a group of that name, not everybody" : group(subject.name());
                default -> "no such kind of subject";
            };
        }

        private static String account(RbacSubject subject) {
            boolean possible = OBJECT_NAME.matcher(subject.name()).matches()
                    && (subject.namespace().isEmpty()
                            || OBJECT_NAME.matcher(subject.namespace()).matches());
            return possible ? "" : "no service account can have that name or namespace";
        }

        /** Returns the reason why a user name cannot exist, or {@code ""}. */
        static String user(String name) {
            if (GROUPS.contains(name) || name.startsWith(UserInfo.SERVICE_ACCOUNTS + ":")) {
                return "this is the name of a group";
            }
            if (!name.startsWith(UserInfo.SERVICE_ACCOUNT_USER)) {
                return "";
            }
            SubjectName account = SubjectName.user(name);
            boolean possible = OBJECT_NAME.matcher(account.namespace()).matches()
                    && OBJECT_NAME.matcher(account.name()).matches();
            return possible ? "" : "a service account's user is system:serviceaccount:NAMESPACE:NAME";
        }

        /** Returns the reason why a group cannot have users, or {@code ""}. */
        static String group(String name) {
            if (name.startsWith(UserInfo.SERVICE_ACCOUNT_USER) || name.equals(UserInfo.ANONYMOUS)) {
                return "this is the name of a user";
            }
            String prefix = UserInfo.SERVICE_ACCOUNTS + ":";
            return name.startsWith(prefix)
                            && !OBJECT_NAME
                                    .matcher(name.substring(prefix.length()))
                                    .matches()
                    ? "no namespace can have that name"
                    : "";
        }
    }
}
