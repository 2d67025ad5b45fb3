package io.plat.cli.replay;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.PolicyFileOptions;
import io.plat.cli.command.Program;
import io.plat.cli.convert.Manifests;
import io.plat.cli.output.Colour;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.ProgressLine;
import io.plat.cli.output.Report;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.request.AccessRequestText;
import io.plat.cli.request.Subjects;
import io.plat.engine.Grant;
import io.plat.engine.abac.AbacGrant;
import io.plat.engine.abac.AbacLine;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.index.ScannedRoles;
import io.plat.review.ReviewVersion;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.BoundedLines;
import io.plat.review.source.Quoted;
import io.plat.tls.files.RegularFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat replay}: requests of a log that another policy would decide differently. */
@Command(name = "replay", mixinStandardHelpOptions = true)
public final class ReplayCommand extends PlatCommand {
    private static final String STDIN = "-";

    @Parameters(paramLabel = "LOG")
    private String log = "";

    @Mixin
    private PolicyFileOptions given = new PolicyFileOptions();

    @Option(names = "--unused")
    private boolean unused;

    @Option(names = "--learn", paramLabel = "USER")
    private @Nullable String learn;

    @Option(names = "--any-name")
    private boolean anyName;

    @Override
    public int run(Program plat) {
        String user = learn;
        if (!given.isSet() && (user == null || unused)) {
            throw CommandException.usage(
                    "no policy named; give --authorization-policy-file or --authorization-rbac-path");
        }
        if (anyName && user == null) {
            throw CommandException.usage("--any-name: requires --learn");
        }
        PolicyDocuments files = plat.policy(given.paths());
        PolicyDocuments policy = given.defaultRoles ? files.withDefaultRoles() : files;
        RoleLearner learning = user == null ? null : new RoleLearner(user, !anyName);
        Replay replay = new Replay(policy.authorizer(), learning);
        run(replay, plat);
        warn(replay, plat.report());
        if (replay.requests == 0) {
            throw CommandException.undetermined(Quoted.of(log) + ": no line of the log has a decision");
        }
        if (learning != null) {
            if (!learning.hasRequests()) {
                throw CommandException.undetermined("--learn: " + Quoted.of(learning.user())
                        + " was allowed nothing in " + Quoted.of(log) + ", so there is nothing to learn");
            }
            List<RbacObject> learned = learning.objects();
            plat.print(
                    report -> report.print(Manifests.text(learned).stripTrailing()),
                    () -> JsonAnswer.of(Manifests.document(learned)));
            return ExitStatus.YES;
        }
        ReplayReport report = new ReplayReport(replay, unused ? unusedGrants(policy, replay.used) : null);
        plat.print(report::print, () -> JsonAnswer.of(report.document()));
        return replay.flipped == 0 ? ExitStatus.YES : ExitStatus.NO;
    }

    private void run(Replay replay, Program plat) {
        try (InputStream in =
                log.equals(STDIN) ? plat.environment().in() : Channels.newInputStream(RegularFile.open(Path.of(log)))) {
            long size = log.equals(STDIN) ? -1 : Files.size(Path.of(log));
            try (ProgressLine progress = plat.progress("replaying", size)) {
                replay.run(new BoundedLines(in, LogLine.MAX_LENGTH), progress::to);
            }
        } catch (IOException e) {
            throw CommandException.io("cannot read " + Quoted.of(log), e);
        }
        if (replay.requests == 0 && replay.malformedLines > 0) {
            throw CommandException.undetermined(
                    Quoted.of(log) + " is neither a decision log nor an audit log: " + replay.malformed.getFirst());
        }
    }

    private void warn(Replay replay, Report report) {
        String file = log.equals(STDIN) ? "standard input" : log;
        replay.malformed.forEach(problem -> report.warn(file + ": " + problem));
        if (replay.malformedLines > replay.malformed.size()) {
            report.warn(replay.malformedLines + " lines in total are not log lines");
        }
    }

    /** A rule with the binding that grants it. */
    private record BoundRule(ObjectKey binding, RbacRule rule) {}

    private static List<String> unusedGrants(PolicyDocuments policy, Set<Grant> used) {
        Set<Object> known = new HashSet<>();
        for (Grant grant : used) {
            switch (grant) {
                case AbacGrant line -> known.add(line.line());
                case RbacGrant rule -> known.add(new BoundRule(rule.binding().key(), rule.matched()));
                default -> {}
            }
        }
        List<String> unused = new ArrayList<>();
        AbacPolicy lines = policy.lines();
        if (lines != null) {
            for (AbacLine line : lines.lines()) {
                if (!known.contains(line)) {
                    unused.add(line.where() + " " + line.text());
                }
            }
        }
        RbacPolicy roles = policy.roles();
        if (roles != null) {
            addRules(roles, known, unused);
        }
        return unused;
    }

    private static void addRules(RbacPolicy policy, Set<Object> known, List<String> unused) {
        new ScannedRoles(policy).forEachGrant((binding, rules) -> {
            for (RbacRule rule : rules) {
                if (!known.contains(new BoundRule(binding.key(), rule))) {
                    unused.add(binding.source() + " " + binding.key() + " " + rule);
                }
            }
        });
    }

    /**
     * Results of a replay.
     *
     * @param unused grants that allowed nothing, null if not requested
     */
    private record ReplayReport(Replay replay, @Nullable List<String> unused) {
        private static final int MAX_LISTED = 20;

        void print(Report report) {
            report.print(replay.requests + (replay.requests == 1 ? " request, " : " requests, ") + replay.flipped
                    + " decided differently");
            print("newly allowed", Colour.GREEN, true, report);
            print("newly denied", Colour.RED, false, report);
            List<String> grants = unused;
            if (grants != null) {
                report.print(grants.isEmpty() ? "every grant is used" : "never used:");
                grants.forEach(grant -> report.print("  " + Quoted.oneLine(grant)));
            }
        }

        private void print(String title, Colour colour, boolean now, Report report) {
            Map<String, Map<String, Long>> bySubject = new TreeMap<>();
            for (Replay.LoggedDecision flip : replay.flips) {
                if (flip.allowed() != now) {
                    bySubject
                            .computeIfAbsent(
                                    Subjects.text(SubjectName.user(
                                            flip.request().user().name())),
                                    _ -> new LinkedHashMap<>())
                            .merge(AccessRequestText.of(flip.request().access()), 1L, Long::sum);
                }
            }
            if (bySubject.isEmpty()) {
                return;
            }
            report.print(title + ":");
            bySubject.forEach((subject, accesses) -> {
                report.print("  " + subject);
                List<String> shown = new ArrayList<>();
                accesses.forEach((access, times) -> shown.add(access + (times == 1 ? "" : " (" + times + " times)")));
                shown.stream()
                        .limit(MAX_LISTED)
                        .forEach(line -> report.print("    " + report.paint(colour, Quoted.oneLine(line))));
                if (shown.size() > MAX_LISTED) {
                    report.print("    and " + (shown.size() - MAX_LISTED) + " more");
                }
            });
        }

        Object document() {
            long leftOut = replay.flipped - replay.flips.size();
            List<JsonAnswer.Body> flips =
                    replay.flips.stream().map(ReplayReport::flip).toList();
            return JsonAnswer.object(
                    "asked",
                    replay.requests,
                    "flips",
                    flips,
                    "flipsLeftOut",
                    leftOut > 0 ? leftOut : null,
                    "unused",
                    unused);
        }

        private static JsonAnswer.Body flip(Replay.LoggedDecision flip) {
            return json -> {
                json.writeStartObject();
                json.writeNumberField("line", flip.line());
                ReviewCodec.writeSpec(ReviewVersion.K8S_V1, flip.request(), json);
                json.writeStringField("was", flip.allowed() ? "allow" : "deny");
                json.writeStringField("now", flip.allowed() ? "deny" : "allow");
                json.writeEndObject();
            };
        }
    }
}
