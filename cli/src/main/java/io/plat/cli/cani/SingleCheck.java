package io.plat.cli.cani;

import io.plat.cli.ask.DecisionSource;
import io.plat.cli.ask.PolicyFileSource;
import io.plat.cli.ask.SubjectCheck;
import io.plat.cli.command.DecisionOptions;
import io.plat.cli.command.DecisionOptions.QuestionOptions;
import io.plat.cli.command.NamespaceSweep;
import io.plat.cli.command.Program;
import io.plat.cli.command.SubjectOptions;
import io.plat.cli.output.Colour;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Report;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.question.QuestionParser.Question;
import io.plat.cli.server.DecodedResponse;
import io.plat.review.AccessReview;
import io.plat.review.ReviewStatus;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One question and its answer. */
final class SingleCheck {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Program plat;
    private final DecisionOptions asking;
    private final SubjectOptions who;
    private final boolean quiet;

    SingleCheck(Program plat, DecisionOptions asking, SubjectOptions who, boolean quiet) {
        this.plat = plat;
        this.asking = asking;
        this.who = who;
        this.quiet = quiet;
    }

    /** Sends the request, waits if requested, and prints the answer; returns the exit code. */
    int answer(String verb, String target, QuestionOptions where, CanICommand.WaitOptions waiting) {
        DecisionSource source = asking.source(plat, where.allNamespaces);
        Question question = asking.question(source, verb, target, where);
        warn(question.warnings());
        warn(question.unknown());
        who.subject().ifPresent(user -> asking.refuseUnknown(source, user, who.groups));
        AccessReview review = DecisionSource.review(who.subject(), question.access());
        if (waiting.given()) {
            return await(source, review, waiting);
        }
        DecodedResponse<ReviewStatus> verdict = source.decide(review);
        who.subject()
                .ifPresent(user -> asking.refuseUnsure(
                        source, user, who.groups, verdict.said().allowed()));
        print(verdict, sweep(source, question, verdict, where));
        if (!verdict.said().allowed() && plat.format() == OutputFormat.TEXT) {
            note(where.assumed(source.namespace(), question.access()));
        }
        if (!asking.strict() && !verdict.said().allowed()) {
            warn(
                    source instanceof PolicyFileSource
                            ? who.subject()
                                    .map(user -> SubjectCheck.afterNo(source, user, who.groups, question.access()))
                                    .orElseGet(List::of)
                            : unknownSubject(source));
        }
        return verdict.said().allowed() ? ExitStatus.YES : ExitStatus.NO;
    }

    /** Repeats the request until the awaited answer. Failures to reach a server are retried too. */
    private int await(DecisionSource source, AccessReview review, CanICommand.WaitOptions waiting) {
        long end = System.nanoTime() + waiting.timeout().toNanos();
        Duration pause = FIRST_PAUSE;
        DecisionSource asked = source;
        while (true) {
            @Nullable DecodedResponse<ReviewStatus> verdict = null;
            @Nullable CommandException failure = null;
            try {
                verdict = asked.decide(review);
            } catch (CommandException e) {
                failure = e;
            }
            boolean reached = verdict != null && waiting.isWanted(verdict.said().allowed());
            long left = end - System.nanoTime();
            if (reached || left <= 0) {
                if (verdict == null) {
                    throw failure == null ? CommandException.undetermined("nothing was answered") : failure;
                }
                print(verdict, List.of());
                warn(reached ? List.of() : List.of(waiting.inVain()));
                return reached ? ExitStatus.YES : ExitStatus.NO;
            }
            pause(Duration.ofNanos(Math.min(left, pause.toNanos())));
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            if (asked instanceof PolicyFileSource) {
                asked = asking.source(plat, false);
            }
        }
    }

    private static void pause(Duration length) {
        try {
            Thread.sleep(length);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandException.undetermined("interrupted");
        }
    }

    private List<String> unknownSubject(DecisionSource source) {
        return who.subject()
                .map(user -> Stream.of(
                                SubjectCheck.unknown(source, user, who.groups),
                                SubjectCheck.withoutGroups(user, who.exactGroups ? user.groups() : who.groups))
                        .flatMap(List::stream)
                        .toList())
                .orElseGet(List::of);
    }

    private void note(List<String> lines) {
        if (!quiet) {
            lines.forEach(plat.report()::note);
        }
    }

    private void warn(List<String> lines) {
        if (!quiet) {
            plat.report().warn(lines);
        }
    }

    /** The namespaces in which the answer is yes, where it is no for all of them at once. */
    private List<String> sweep(
            DecisionSource source, Question question, DecodedResponse<ReviewStatus> verdict, QuestionOptions where) {
        List<String> allowed = new ArrayList<>();
        if (where.allNamespaces && !verdict.said().allowed() && !quiet) {
            NamespaceSweep.each(plat, source, question.access(), (namespace, access) -> {
                if (source.decide(DecisionSource.review(who.subject(), access))
                        .said()
                        .allowed()) {
                    allowed.add(namespace);
                }
            });
        }
        return allowed;
    }

    private void print(DecodedResponse<ReviewStatus> verdict, List<String> namespaces) {
        if (quiet) {
            return;
        }
        if (!verdict.said().evaluationError().isEmpty()) {
            plat.report()
                    .warn("the server could not evaluate everything: "
                            + Quoted.shortLine(verdict.said().evaluationError()));
        }
        plat.print(
                report -> report.print(text(report, verdict.said(), namespaces)),
                () -> NamespaceSweep.with(
                        verdict.json(),
                        namespaces.stream().map(JsonText::quoted).toList()));
    }

    private static String text(Report report, ReviewStatus status, List<String> namespaces) {
        if (status.allowed()) {
            return report.paint(Colour.GREEN, "yes");
        }
        List<String> parts = new ArrayList<>();
        String reason = Quoted.shortLine(status.reason());
        if (!reason.isEmpty()) {
            parts.add(reason);
        }
        if (!namespaces.isEmpty()) {
            parts.add("yes in "
                    + String.join(
                            ", ", namespaces.stream().map(Quoted::shortLine).toList()));
        }
        return report.paint(Colour.RED, "no") + (parts.isEmpty() ? "" : " - " + String.join("; ", parts));
    }
}
