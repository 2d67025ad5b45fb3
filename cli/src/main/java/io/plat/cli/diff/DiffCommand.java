package io.plat.cli.diff;

import io.plat.cli.CommandException;
import io.plat.cli.ConnectionOptions;
import io.plat.cli.ExitStatus;
import io.plat.cli.Plat;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.policy.PolicySource;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.access.PolicyChange;
import io.plat.engine.access.TooComplexException;
import io.plat.process.Tasks;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plat diff}: every access that a change of policy grants or revokes, exactly. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        description =
                "Shows every access that a change of policy grants or revokes, by subject. OLD and NEW are files of policy lines or"
                        + " role objects, folders of them, or the word server: for the role objects of the server that is asked.",
        footer = {
            "",
            "Exit status: 1 where the change does what --fail-on names.",
            "",
            "Examples:",
            "  plat diff policy/ new-policy/",
            "  plat diff server: policy/ --context production --fail-on widen",
            "  plat diff policy.jsonl roles.yaml -o json"
        })
public final class DiffCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Parameters(index = "0", paramLabel = "OLD", description = "the policy before")
    private String before = "";

    @Parameters(index = "1", paramLabel = "NEW", description = "the policy afterwards")
    private String after = "";

    @Option(
            names = "--fail-on",
            paramLabel = "CHANGE",
            defaultValue = "any",
            description = "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
    private FailOn failOn = FailOn.ANY;

    @Override
    public Integer call() {
        Plat plat = Plat.of(Objects.requireNonNull(spec));
        FutureTask<PolicyDocuments> old = new FutureTask<>(() -> PolicySource.read(before, plat, connection));
        Tasks.platform("policy-before", old);
        PolicyDocuments now = PolicySource.read(after, plat, connection);
        PolicyChange change = change(finished(old), now, plat);
        if (PolicySource.isServer(before) || PolicySource.isServer(after)) {
            plat.report()
                    .warn(
                            "of the server its role objects are compared: what its webhooks, policy files or built-in rules allow"
                                    + " besides, and whether it decides by role objects at all, can't be seen");
        }
        ChangeReport report = ChangeReport.of(change);
        switch (plat.format()) {
            case TEXT -> report.print(plat.report());
            case JSON, YAML -> plat.report().printDocument(JsonAnswer.of(report::write), plat.format());
        }
        return failOn.fails(change) ? ExitStatus.NO : ExitStatus.YES;
    }

    private static PolicyChange change(PolicyDocuments old, PolicyDocuments now, Plat plat) {
        old.warnings().forEach(warning -> plat.report().warn(warning.toString()));
        now.warnings().forEach(warning -> plat.report().warn(warning.toString()));
        PolicyAccess.Vocabulary vocabulary = new PolicyAccess.Vocabulary();
        try {
            return PolicyChange.between(old.access(vocabulary), now.access(vocabulary));
        } catch (TooComplexException e) {
            throw CommandException.couldNotTell(String.valueOf(e.getMessage()));
        }
    }

    private static PolicyDocuments finished(FutureTask<PolicyDocuments> reading) {
        try {
            return reading.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case CommandException expected -> throw expected;
                case RuntimeException defect -> throw defect;
                case Error error -> throw error;
                case null, default -> throw new IllegalStateException(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandException.couldNotTell("interrupted");
        }
    }
}
