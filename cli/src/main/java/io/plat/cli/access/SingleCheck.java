package io.plat.cli.access;

import io.plat.cli.command.DecisionOptions;
import io.plat.cli.command.DecisionOptions.ScopeOptions;
import io.plat.cli.command.NamespaceSweep;
import io.plat.cli.command.Program;
import io.plat.cli.command.SubjectOptions;
import io.plat.cli.output.Colour;
import io.plat.cli.output.JsonDocument;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Report;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.request.AccessRequestParser.AccessRequest;
import io.plat.cli.request.DecisionSource;
import io.plat.cli.request.PolicyFileSource;
import io.plat.cli.request.SubjectCheck;
import io.plat.cli.server.DecodedResponse;
import io.plat.review.AccessReview;
import io.plat.review.ReviewStatus;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A single access check. */
record SingleCheck(Program plat, DecisionOptions decisions, SubjectOptions subject, boolean quiet) {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(2);

    /** Sends the request, waits if requested, and prints the answer; returns the exit code. */
    int answer(String verb, String target, ScopeOptions scope, CanICommand.WaitOptions waiting) {
        DecisionSource source = decisions.source(plat, scope.allNamespaces);
        AccessRequest request = decisions.request(source, verb, target, scope);
        warn(request.warnings());
        warn(request.unknown());
        subject.subject().ifPresent(user -> decisions.refuseUnknown(source, user, subject.groups));
        AccessReview review = DecisionSource.review(subject.subject(), request.access());
        if (waiting.isSet()) {
            return await(source, review, waiting);
        }
        DecodedResponse<ReviewStatus> verdict = source.decide(review);
        subject.subject()
                .ifPresent(user -> decisions.requireKnownUser(
                        source, user, subject.groups, verdict.value().allowed()));
        print(verdict, sweep(source, request, verdict, scope));
        if (!verdict.value().allowed() && plat.format() == OutputFormat.TEXT) {
            note(scope.assumed(source.namespace(), request.access()));
        }
        if (!decisions.strict() && !verdict.value().allowed()) {
            warn(
                    source instanceof PolicyFileSource
                            ? subject.subject()
                                    .map(user ->
                                            SubjectCheck.explainDenial(source, user, subject.groups, request.access()))
                                    .orElseGet(List::of)
                            : unknownSubject(source));
        }
        return verdict.value().allowed() ? ExitStatus.YES : ExitStatus.NO;
    }

    /** Repeats the request until the awaited answer. Failures to reach a server are retried too. */
    private int await(DecisionSource source, AccessReview review, CanICommand.WaitOptions waiting) {
        long end = System.nanoTime() + waiting.timeout().toNanos();
        Duration pause = FIRST_PAUSE;
        DecisionSource current = source;
        while (true) {
            @Nullable DecodedResponse<ReviewStatus> verdict = null;
            @Nullable CommandException failure = null;
            try {
                verdict = current.decide(review);
            } catch (CommandException e) {
                failure = e;
            }
            boolean reached = verdict != null && waiting.isMet(verdict.value().allowed());
            long remaining = end - System.nanoTime();
            if (reached || remaining <= 0) {
                if (verdict == null) {
                    throw failure == null ? CommandException.undetermined("there was no answer") : failure;
                }
                print(verdict, List.of());
                warn(reached ? List.of() : List.of(waiting.timeoutWarning()));
                return reached ? ExitStatus.YES : ExitStatus.NO;
            }
            pause(Duration.ofNanos(Math.min(remaining, pause.toNanos())));
            pause = pause.multipliedBy(2).compareTo(MAX_PAUSE) < 0 ? pause.multipliedBy(2) : MAX_PAUSE;
            if (current instanceof PolicyFileSource) {
                current = decisions.source(plat, false);
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
        return subject.subject()
                .map(user -> Stream.of(
                                SubjectCheck.unknown(source, user, subject.groups),
                                SubjectCheck.withoutGroups(user, subject.exactGroups ? user.groups() : subject.groups))
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

    /** Returns the namespaces in which the request is allowed, if it is not allowed in all of them at once. */
    private List<String> sweep(
            DecisionSource source, AccessRequest request, DecodedResponse<ReviewStatus> verdict, ScopeOptions scope) {
        List<String> allowed = new ArrayList<>();
        if (scope.allNamespaces && !verdict.value().allowed() && !quiet) {
            NamespaceSweep.each(plat, source, request.access(), (namespace, access) -> {
                if (source.decide(DecisionSource.review(subject.subject(), access))
                        .value()
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
        if (!verdict.value().evaluationError().isEmpty()) {
            plat.report()
                    .warn("the server could not evaluate everything: "
                            + Quoted.shortLine(verdict.value().evaluationError()));
        }
        plat.print(
                report -> report.print(text(report, verdict.value(), namespaces)),
                () -> namespaces.isEmpty() ? verdict.json() : NamespaceSweep.document(document(verdict), namespaces));
    }

    private static @Nullable Object document(DecodedResponse<ReviewStatus> verdict) {
        try {
            return JsonDocument.read(verdict.json());
        } catch (IOException e) {
            throw CommandException.io("the answer is not a JSON document", e);
        }
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
