package io.plat.cli.replay;

import io.plat.cli.CommandException;
import io.plat.cli.ExitStatus;
import io.plat.cli.IoWords;
import io.plat.cli.Plat;
import io.plat.cli.convert.Manifests;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Progress;
import io.plat.cli.output.Report;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.policy.PolicyReader;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plat replay}: what of a log would be decided otherwise by another policy. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description =
                "Asks a policy what a log tells of: a decider's decision log, or an audit log (audit.k8s.io/v1, one event a line) of"
                        + " this or any other API server. Tells which requests would be decided otherwise.",
        footer = {
            "",
            "Exit status: 1 where a request would be decided otherwise.",
            "",
            "Examples:",
            "  plat replay decisions.jsonl --authorization-rbac-path new-policy/",
            "  zcat audit.log.gz | plat replay - --authorization-policy-file policy.jsonl -o json",
            "  plat replay audit.log --authorization-rbac-path policy/ --unused",
            "  plat replay audit.log --learn system:serviceaccount:ci:deployer > role.yaml"
        })
public final class ReplayCommand implements Callable<Integer> {
    private static final String STDIN = "-";

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "LOG", description = "a file, or - for standard input")
    private String log = "";

    @Option(names = "--authorization-policy-file", paramLabel = "FILE", description = "decide by this ABAC policy file")
    private @Nullable Path policyFile;

    @Option(
            names = "--authorization-rbac-path",
            paramLabel = "PATH",
            description = "decide by the role objects of this file or folder, repeatable")
    private List<Path> rbacPaths = new ArrayList<>();

    @Option(names = "--unused", description = "tell the grants that allowed no request of the log")
    private boolean unused;

    @Option(
            names = "--learn",
            paramLabel = "USER",
            description = "print the least roles that cover what this user was allowed, and nothing else")
    private @Nullable String learn;

    @Option(
            names = "--any-name",
            description = "with --learn: grant verbs on every object, not only on those that were named")
    private boolean anyName;

    @Override
    public Integer call() {
        Plat plat = Plat.of(Objects.requireNonNull(spec));
        boolean policyGiven = policyFile != null || !rbacPaths.isEmpty();
        String user = learn;
        if (!policyGiven && (user == null || unused)) {
            throw CommandException.usage(
                    "no policy named; give --authorization-policy-file or --authorization-rbac-path");
        }
        if (anyName && user == null) {
            throw CommandException.usage("--any-name: goes with --learn");
        }
        List<Path> paths = new ArrayList<>(rbacPaths);
        if (policyFile != null) {
            paths.add(policyFile);
        }
        PolicyDocuments policy = PolicyReader.read(paths);
        policy.warnings().forEach(warning -> plat.report().warn(warning.toString()));
        Learning learning = user == null ? null : new Learning(user, !anyName);
        Replay replay = new Replay(policy.authorizer(), learning);
        run(replay, plat);
        warn(replay, plat.report());
        if (learning != null) {
            if (!learning.met()) {
                throw CommandException.couldNotTell("--learn: " + Quoted.of(learning.user())
                        + " was allowed nothing in " + Quoted.of(log) + ", so that there is nothing to learn");
            }
            return learned(learning.manifests(), plat);
        }
        ReplayReport report = new ReplayReport(replay, unused ? Unused.of(policy, replay.used()) : null);
        switch (plat.format()) {
            case TEXT -> report.print(plat.report());
            case JSON, YAML -> plat.report().printDocument(JsonAnswer.of(report::write), plat.format());
        }
        return replay.flipped() == 0 ? ExitStatus.YES : ExitStatus.NO;
    }

    private void run(Replay replay, Plat plat) {
        try (InputStream in = log.equals(STDIN) ? plat.surroundings().in() : Files.newInputStream(Path.of(log))) {
            long size = log.equals(STDIN) ? -1 : Files.size(Path.of(log));
            try (Progress progress = plat.progress("replaying", size)) {
                replay.run(new LogStream(in), progress::to);
            }
        } catch (IOException e) {
            throw CommandException.couldNotTell("can't read " + Quoted.of(log) + ": " + IoWords.of(e));
        }
        if (replay.asked() == 0 && replay.malformedLines() > 0) {
            throw CommandException.couldNotTell(Quoted.of(log) + " is neither a decision log nor an audit log: "
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
            report.warn("no line of the log tells of a decision");
        }
    }

    private static int learned(Manifests manifests, Plat plat) {
        if (plat.format() == OutputFormat.TEXT) {
            plat.report().print(manifests.text().stripTrailing());
        } else {
            plat.report().printDocument(manifests.json(), plat.format());
        }
        return ExitStatus.YES;
    }
}
