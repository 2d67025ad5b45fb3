package io.plat.cli.cani;

import io.plat.cli.command.DecisionOptions;
import io.plat.cli.command.DecisionOptions.ScopeOptions;
import io.plat.cli.command.Program;
import io.plat.cli.command.SubjectOptions;
import io.plat.cli.output.Colour;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Progress;
import io.plat.cli.output.Report;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.server.DecodedResponse;
import io.plat.cli.source.DecisionSource;
import io.plat.review.ReviewStatus;
import io.plat.review.source.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Many requests, answered one after another over one connection. All are parsed before the first is sent, so that an invalid line is reported
 * before anything else.
 *
 * @param subject the subject of lines without one
 */
record BatchCheck(Program plat, DecisionOptions decisions, SubjectOptions subject, boolean quiet) {
    /** Number of successive failures after which no further requests are sent to a server. */
    private static final int MAX_FAILURES = 3;

    /**
     * Answers every line and returns the exit code.
     *
     * @param file its name, or {@code -}
     * @param scope the defaults for lines without namespace
     */
    int answer(String file, ScopeOptions scope) {
        RequestFile requests = RequestFile.read(file, plat.environment());
        DecisionSource source = decisions.source(plat, true);
        List<RequestFile.RequestLine> requested = requests.parse(decisions, source, scope, subject);
        requested.forEach(request -> plat.report().warn(request.warnings()));
        boolean no = false;
        List<Object> answers = new ArrayList<>();
        boolean failed = false;
        int consecutiveFailures = 0;
        try (Progress progress = plat.progress("requests", requested.size())) {
            for (RequestFile.RequestLine request : requested) {
                try {
                    DecodedResponse<ReviewStatus> verdict = source.decide(request.review());
                    boolean allowed = verdict.value().allowed();
                    no |= !allowed;
                    consecutiveFailures = 0;
                    print(request, verdict.value());
                    answers.add((JsonAnswer.Body) json -> json.writeRawValue(text(verdict.json())));
                    plat.report().warn(allowed ? List.of() : request.denialHints());
                } catch (CommandException e) {
                    failed = true;
                    plat.report().warn(request.location() + ": " + request.line() + ": " + e.getMessage());
                    if (++consecutiveFailures == MAX_FAILURES) {
                        plat.report().warn("gave up after " + consecutiveFailures + " failures in a row");
                        break;
                    }
                }
                progress.step();
            }
        }
        if (!quiet) {
            plat.print(
                    report -> {},
                    () -> JsonAnswer.of(JsonAnswer.object("kind", "List", "apiVersion", "v1", "items", answers)));
        }
        return failed ? ExitStatus.UNDETERMINED : no ? ExitStatus.NO : ExitStatus.YES;
    }

    private void print(RequestFile.RequestLine request, ReviewStatus status) {
        if (!quiet && plat.format() == OutputFormat.TEXT) {
            plat.report().print(text(plat.report(), request, status));
        }
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8).strip();
    }

    private static String text(Report report, RequestFile.RequestLine request, ReviewStatus status) {
        String reason = status.allowed() ? "" : Quoted.shortLine(status.reason());
        return (status.allowed() ? report.paint(Colour.GREEN, "yes") : report.paint(Colour.RED, "no") + " ") + "  "
                + request.line() + (reason.isEmpty() ? "" : " - " + reason);
    }
}
