package io.plat.cli.diff;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.Progress;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.policy.PolicySource;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.server.ConnectionOptions;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.access.PolicyChange;
import io.plat.engine.access.TooComplexException;
import io.plat.process.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat diff}: every access that a change of policy grants or revokes, exactly. */
@Command(name = "diff", mixinStandardHelpOptions = true)
public final class DiffCommand extends PlatCommand {
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

        /** The word as it is typed. */
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
        try (Progress _ = plat.progress("loading", -1)) {
            now = read(after, plat);
            old = finished(reading);
        }
        plat.report().warn(old.warnings());
        plat.report().warn(now.warnings());
        if (PolicySource.isServer(before) || PolicySource.isServer(after)) {
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
        PolicyChange change = plat.working("comparing", () -> change(old, now));
        ChangeReport report = ChangeReport.of(change);
        List<String> unbound = unbound(old, now);
        if (unbound.isEmpty()) {
            plat.print(report::print, () -> JsonAnswer.of(report.document()));
            return status(!change.granted().isEmpty(), !change.isEmpty());
        }
        plat.report().warn(unbound);
        RoleChanges roles = RoleChanges.between(old, now);
        plat.print(
                printed -> {
                    report.print(printed);
                    roles.print(printed);
                },
                () -> JsonAnswer.of(report.document(roles)));
        return ExitStatus.UNDETERMINED;
    }

    private int status(boolean widened, boolean changed) {
        return failOn.fails(widened, changed) ? ExitStatus.NO : ExitStatus.YES;
    }

    /** Returns the sides with roles that are not bound, one line each. */
    private List<String> unbound(PolicyDocuments old, PolicyDocuments now) {
        List<String> sides = new ArrayList<>(0);
        if (isUnbound(old)) {
            sides.add(unbound(before));
        }
        if (isUnbound(now)) {
            sides.add(unbound(after));
        }
        return sides;
    }

    private static String unbound(String policy) {
        return policy
                + ": has roles but no bindings, so that it grants no access; --roles-only compares only the roles";
    }

    private static boolean isUnbound(PolicyDocuments policy) {
        return policy.lines() == null
                && policy.roles() != null
                && !policy.roles().roles().isEmpty()
                && policy.roles().bindings().isEmpty();
    }

    private PolicyDocuments read(String policy, Program plat) {
        return PolicySource.read(List.of(policy), () -> plat.connect(connection));
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
}
