package io.plat.cli.replay;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.convert.Manifests;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.Progress;
import io.plat.cli.output.Report;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.engine.rbac.RbacObject;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code plat replay}: requests of a log that another policy would decide differently. */
@Command(name = "replay", mixinStandardHelpOptions = true)
public final class ReplayCommand extends PlatCommand {
    private static final String STDIN = "-";

    @Parameters(paramLabel = "LOG")
    private String log = "";

    @Option(names = "--authorization-policy-file", paramLabel = "FILE")
    private @Nullable Path policyFile;

    @Option(names = "--authorization-rbac-path", paramLabel = "PATH")
    private List<Path> rbacPaths = new ArrayList<>();

    @Option(names = "--unused")
    private boolean unused;

    @Option(names = "--learn", paramLabel = "USER")
    private @Nullable String learn;

    @Option(names = "--any-name")
    private boolean anyName;

    @Override
    public int run(Program plat) {
        boolean policyGiven = policyFile != null || !rbacPaths.isEmpty();
        String user = learn;
        if (!policyGiven && (user == null || unused)) {
            throw CommandException.usage(
                    "no policy named; give --authorization-policy-file or --authorization-rbac-path");
        }
        if (anyName && user == null) {
            throw CommandException.usage("--any-name: requires --learn");
        }
        List<Path> paths = new ArrayList<>(rbacPaths);
        if (policyFile != null) {
            paths.add(policyFile);
        }
        PolicyDocuments policy = plat.policy(paths);
        RoleLearner learning = user == null ? null : new RoleLearner(user, !anyName);
        Replay replay = new Replay(policy.authorizer(), learning);
        run(replay, plat);
        warn(replay, plat.report());
        if (learning != null) {
            if (!learning.met()) {
                throw CommandException.undetermined("--learn: " + Quoted.of(learning.user())
                        + " was allowed nothing in " + Quoted.of(log) + ", so that there is nothing to learn");
            }
            List<RbacObject> learned = learning.objects();
            plat.print(
                    report -> report.print(Manifests.text(learned).stripTrailing()),
                    () -> JsonAnswer.of(Manifests.document(learned)));
            return ExitStatus.YES;
        }
        ReplayReport report = new ReplayReport(replay, unused ? UnusedGrants.of(policy, replay.used()) : null);
        plat.print(report::print, () -> JsonAnswer.of(report.document()));
        return replay.flipped() == 0 ? ExitStatus.YES : ExitStatus.NO;
    }

    private void run(Replay replay, Program plat) {
        try (InputStream in = log.equals(STDIN) ? plat.surroundings().in() : Files.newInputStream(Path.of(log))) {
            long size = log.equals(STDIN) ? -1 : Files.size(Path.of(log));
            try (Progress progress = plat.progress("replaying", size)) {
                replay.run(new LogStream(in), progress::to);
            }
        } catch (IOException e) {
            throw CommandException.io("can't read " + Quoted.of(log), e);
        }
        if (replay.asked() == 0 && replay.malformedLines() > 0) {
            throw CommandException.undetermined(Quoted.of(log) + " is neither a decision log nor an audit log: "
                    + replay.malformed().getFirst());
        }
    }

    private void warn(Replay replay, Report report) {
        String file = log.equals(STDIN) ? "standard input" : log;
        replay.malformed().forEach(problem -> report.warn(file + ": " + problem));
        if (replay.malformedLines() > replay.malformed().size()) {
            report.warn(replay.malformedLines() + " lines in all are no lines of a log");
        }
        if (replay.asked() == 0) {
            report.warn("no line of the log has a decision");
        }
    }
}
