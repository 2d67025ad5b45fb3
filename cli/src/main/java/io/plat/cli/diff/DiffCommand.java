package io.plat.cli.diff;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.Colour;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.ProgressLine;
import io.plat.cli.output.Report;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.request.Subjects;
import io.plat.cli.server.ConnectionOptions;
import io.plat.engine.access.AccessRow;
import io.plat.engine.access.AccessSet;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.access.PolicyChange;
import io.plat.engine.access.RowJson;
import io.plat.engine.access.TooComplexException;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.process.Tasks;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat diff}: every access that a change of policy grants or revokes, exactly. */
@Command(name = "diff", mixinStandardHelpOptions = true)
public final class DiffCommand extends PlatCommand {
    private static final String UNBOUND =
            "has roles but no bindings, so it grants no access; --roles-only compares only the roles";

    private static final String ROLELESS =
            "has bindings but no roles for them, so that they grant no access; compare bindings together with their roles";

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Parameters(index = "0", paramLabel = "OLD")
    private String before = "";

    @Parameters(index = "1", paramLabel = "NEW")
    private String after = "";

    @Option(names = "--fail-on", paramLabel = "CHANGE", defaultValue = "any")
    private FailOn failOn = FailOn.ANY;

    @Option(names = "--roles-only")
    private boolean rolesOnly;

    /** Changes that are failures. */
    enum FailOn {
        NONE,
        WIDEN,
        ANY;

        boolean fails(boolean widened, boolean changed) {
            return switch (this) {
                case NONE -> false;
                case WIDEN -> widened;
                case ANY -> changed;
            };
        }

        /** Returns the value of the flag. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public int run(Program plat) {
        FutureTask<PolicyDocuments> reading = new FutureTask<>(() -> read(before, plat));
        Tasks.platform("policy-before", reading);
        PolicyDocuments now;
        PolicyDocuments old;
        try (ProgressLine _ = plat.progress("loading", -1)) {
            now = read(after, plat);
            old = finished(reading);
        }
        plat.report().warn(old.warnings());
        plat.report().warn(now.warnings());
        if (old.isEmpty() && now.isEmpty()) {
            throw CommandException.undetermined(before + ", " + after + ": " + PolicyDocuments.NOTHING);
        }
        if (PolicyDocuments.isServer(before) || PolicyDocuments.isServer(after)) {
            plat.report()
                    .warn(
                            "only the server's role objects are compared: access by its webhooks, policy files or built-in rules"
                                    + ", and whether it uses role objects at all, is unknown");
        }
        if (rolesOnly) {
            RoleChanges roles = RoleChanges.between(old, now);
            plat.print(roles::print, () -> JsonAnswer.of(JsonAnswer.object("roles", roles.document())));
            return status(roles.widens(), !roles.changed().isEmpty());
        }
        PolicyChange change = plat.withProgress("comparing", () -> change(old, now));
        ChangeReport report = ChangeReport.of(change);
        plat.report().warn(sides(old, now, PolicyDocuments::isEmpty, PolicyDocuments.NOTHING));
        List<String> unbound = sides(old, now, DiffCommand::isUnbound, UNBOUND);
        plat.report().warn(unbound);
        List<String> roleless = sides(old, now, DiffCommand::isRoleless, ROLELESS);
        plat.report().warn(roleless);
        RoleChanges roles = unbound.isEmpty() ? null : RoleChanges.between(old, now);
        plat.print(
                printed -> {
                    report.print(printed);
                    if (roles != null) {
                        roles.print(printed);
                    }
                },
                () -> JsonAnswer.of(report.document(roles)));
        return unbound.isEmpty() && roleless.isEmpty()
                ? status(!change.granted().isEmpty(), !change.isEmpty())
                : ExitStatus.UNDETERMINED;
    }

    private int status(boolean widened, boolean changed) {
        return failOn.fails(widened, changed) ? ExitStatus.NO : ExitStatus.YES;
    }

    /** Returns the sides that meet a condition, each with a text. */
    private List<String> sides(
            PolicyDocuments old, PolicyDocuments now, Predicate<PolicyDocuments> condition, String text) {
        return Stream.of(Map.entry(before, old), Map.entry(after, now))
                .filter(side -> condition.test(side.getValue()))
                .map(side -> side.getKey() + ": " + text)
                .toList();
    }

    private static boolean isUnbound(PolicyDocuments policy) {
        RbacPolicy objects = policy.roleObjects();
        return policy.lines() == null
                && !objects.roles().isEmpty()
                && objects.bindings().isEmpty();
    }

    private static boolean isRoleless(PolicyDocuments policy) {
        RbacPolicy objects = policy.roleObjects();
        Set<ObjectKey> roles = objects.roles().stream().map(RbacRole::key).collect(Collectors.toSet());
        return !objects.bindings().isEmpty()
                && objects.bindings().stream().noneMatch(binding -> roles.contains(binding.role()));
    }

    private PolicyDocuments read(String policy, Program plat) {
        return PolicyDocuments.read(List.of(policy), () -> plat.connect(connection));
    }

    private static PolicyChange change(PolicyDocuments old, PolicyDocuments now) {
        PolicyAccess.Vocabulary vocabulary = new PolicyAccess.Vocabulary();
        try {
            return PolicyChange.between(old.access(vocabulary), now.access(vocabulary));
        } catch (TooComplexException e) {
            throw CommandException.of(e);
        }
    }

    private static PolicyDocuments finished(FutureTask<PolicyDocuments> reading) {
        try {
            return reading.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandException.undetermined("interrupted");
        }
    }

    /** A change in rows: subjects with the same rows together, the shortest first. */
    private record ChangeReport(List<Group> granted, List<Group> revoked) {
        private static final int MAX_SUBJECTS = 10;

        /** Subjects that gain or lose the same rows. */
        record Group(List<SubjectName> subjects, List<AccessRow> rows) {
            int size() {
                return subjects.size() + rows.stream().mapToInt(AccessRow::size).sum();
            }

            String subjectsText() {
                List<String> shown = subjects.stream()
                        .limit(MAX_SUBJECTS)
                        .map(Subjects::text)
                        .toList();
                int more = subjects.size() - shown.size();
                return String.join(", ", shown) + (more == 0 ? "" : " and " + more + " more");
            }
        }

        static ChangeReport of(PolicyChange change) {
            return new ChangeReport(groups(change.granted()), groups(change.revoked()));
        }

        private static List<Group> groups(Map<SubjectName, AccessSet> gained) {
            Map<List<AccessRow>, List<SubjectName>> together = new LinkedHashMap<>();
            gained.forEach((subject, set) ->
                    together.computeIfAbsent(set.rows(), _ -> new ArrayList<>()).add(subject));
            List<Group> groups = new ArrayList<>();
            together.forEach((rows, subjects) -> groups.add(new Group(subjects, rows)));
            groups.sort(Comparator.comparingInt(Group::size)
                    .thenComparing(group -> group.subjects().getFirst()));
            return groups;
        }

        void print(Report report) {
            if (granted.isEmpty() && revoked.isEmpty()) {
                report.print("no access is granted or revoked");
                return;
            }
            print("granted", Colour.GREEN, "+", granted, report);
            print("revoked", Colour.RED, "-", revoked, report);
        }

        private static void print(String title, Colour colour, String sign, List<Group> groups, Report report) {
            if (groups.isEmpty()) {
                return;
            }
            StringBuilder text = new StringBuilder(title).append(':');
            for (Group group : groups) {
                text.append("\n  ").append(group.subjectsText());
                for (AccessRow row : group.rows()) {
                    text.append("\n    ").append(report.paint(colour, sign + " " + Quoted.oneLine(row.text())));
                }
            }
            report.print(text.toString());
        }

        /** Returns the change as JSON, with the changes of roles, if any. */
        Map<String, Object> document(@Nullable RoleChanges roles) {
            return JsonAnswer.object(
                    "granted", rows(granted),
                    "revoked", rows(revoked),
                    "roles", roles == null ? null : roles.document());
        }

        private static List<JsonAnswer.Body> rows(List<Group> groups) {
            List<JsonAnswer.Body> rows = new ArrayList<>();
            for (Group group : groups) {
                for (SubjectName subject : group.subjects()) {
                    group.rows().forEach(row -> rows.add(json -> RowJson.write(subject, row, json)));
                }
            }
            return rows;
        }
    }
}
