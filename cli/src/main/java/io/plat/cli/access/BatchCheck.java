package io.plat.cli.access;

import io.plat.cli.command.DecisionOptions;
import io.plat.cli.command.DecisionOptions.ScopeOptions;
import io.plat.cli.command.Program;
import io.plat.cli.command.SubjectOptions;
import io.plat.cli.command.UsageMessages;
import io.plat.cli.output.Colour;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.ProgressLine;
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
import io.plat.review.UserInfo;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import io.plat.review.source.SourceReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/**
 * Many requests, answered one after another over one connection. All are parsed before the first is sent, so that an invalid line is reported
 * before anything else.
 *
 * <p>A file has one request per line in the syntax of the command line, without quotes; blank lines and lines that begin with {@code #} are ignored.
 *
 * @param subject the subject of lines without one
 * @param scope the defaults for lines without namespace
 */
record BatchCheck(Program plat, DecisionOptions decisions, SubjectOptions subject, ScopeOptions scope, boolean quiet) {
    private static final int MAX_BYTES = 64 << 20;
    private static final int MAX_PROBLEMS = 20;

    /** First line of a document that is no list of requests. */
    private static final Pattern DOCUMENT = Pattern.compile("---|[{\\[].*|\\w+:( .*)?");

    /** Number of successive failures after which no further requests are sent to a server. */
    private static final int MAX_FAILURES = 3;

    /**
     * A request of the file.
     *
     * @param location file and line
     * @param line as it was written
     * @param warnings warnings, each with the location
     * @param denialHints possible explanations of a denial, each with the location
     */
    private record RequestLine(
            String location, String line, AccessReview review, List<String> warnings, List<String> denialHints) {}

    /** The arguments in a line. */
    @Command(name = "")
    static final class Line {
        @Parameters(index = "0", paramLabel = "VERB")
        private String verb = "";

        @Parameters(index = "1", paramLabel = "RESOURCE")
        private String target = "";

        @Mixin
        private ScopeOptions scope = new ScopeOptions();

        @Mixin
        private SubjectOptions subject = new SubjectOptions();
    }

    /**
     * Answers every line and returns the exit code.
     *
     * @param file its name, or {@code -} for standard input
     */
    int answer(String file) {
        String name = file.equals("-") ? "standard input" : file;
        String text;
        try {
            text = SourceReader.decode(name, plat.environment().read("--filename", file, MAX_BYTES));
        } catch (ProblemsException e) {
            throw CommandException.of(e);
        }
        DecisionSource source = decisions.source(plat, true);
        List<RequestLine> requested = parse(name, text, source);
        requested.forEach(request -> plat.report().warn(request.warnings()));
        boolean no = false;
        List<Object> answers = new ArrayList<>();
        boolean failed = false;
        int consecutiveFailures = 0;
        try (ProgressLine progress = plat.progress("requests", requested.size())) {
            for (RequestLine request : requested) {
                try {
                    DecodedResponse<ReviewStatus> verdict = source.decide(request.review());
                    boolean allowed = verdict.value().allowed();
                    no |= !allowed;
                    consecutiveFailures = 0;
                    print(request, verdict.value());
                    answers.add((JsonAnswer.Body)
                            json -> json.writeRawValue(new String(verdict.json(), StandardCharsets.UTF_8).strip()));
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

    private void print(RequestLine request, ReviewStatus status) {
        if (!quiet && plat.format() == OutputFormat.TEXT) {
            Report report = plat.report();
            String reason = status.allowed() ? "" : Quoted.shortLine(status.reason());
            String answer = status.allowed() ? report.paint(Colour.GREEN, "yes") : report.paint(Colour.RED, "no") + " ";
            report.print(answer + "  " + request.line() + (reason.isEmpty() ? "" : " - " + reason));
        }
    }

    /**
     * Parses the requests of a file.
     *
     * @throws CommandException with the problems of every line, or if information that is needed for parsing is unavailable
     */
    private List<RequestLine> parse(String name, String text, DecisionSource source) {
        List<RequestLine> requests = new ArrayList<>();
        Map<UserInfo, List<String>> unknownSubjects = new HashMap<>();
        List<String> problems = new ArrayList<>();
        int status = ExitStatus.UNDETERMINED;
        List<String> lines = text.lines().map(String::strip).toList();
        for (int i = 0; i < lines.size() && problems.size() < MAX_PROBLEMS; i++) {
            String line = lines.get(i);
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String location = name + ":" + (i + 1);
            if (requests.isEmpty()
                    && problems.isEmpty()
                    && DOCUMENT.matcher(line).matches()) {
                throw CommandException.usage(location + ": expected VERB RESOURCE on each line, found YAML or JSON");
            }
            try {
                requests.add(request(location, line, source, unknownSubjects));
            } catch (ParameterException e) {
                status = ExitStatus.USAGE;
                problems.add(location + ": " + UsageMessages.of(e));
            } catch (CommandException e) {
                if (!e.isArgumentError()) {
                    // Not a problem of the line, such as an unreachable server.
                    throw e;
                }
                status = Math.min(status, e.exitStatus());
                String.valueOf(e.getMessage()).lines().forEach(problem -> problems.add(location + ": " + problem));
            }
        }
        if (!problems.isEmpty()) {
            String all = String.join("\n", problems);
            throw status == ExitStatus.USAGE ? CommandException.usage(all) : CommandException.unknown(all);
        }
        if (requests.isEmpty()) {
            throw CommandException.undetermined(name + ": no requests, expected VERB RESOURCE on each line");
        }
        return requests;
    }

    private RequestLine request(
            String location, String line, DecisionSource source, Map<UserInfo, List<String>> unknownSubjects) {
        Line read = new Line();
        new CommandLine(read).parseArgs(line.split("\\s+"));
        SubjectOptions named = read.subject.subject().isPresent() ? read.subject : subject;
        Optional<UserInfo> user = named.subject();
        named.require(source instanceof PolicyFileSource);
        AccessRequest request = decisions.request(source, read.verb, read.target, read.scope.orElse(scope));
        List<String> unknown = user.map(one -> unknownSubjects.computeIfAbsent(
                        one, other -> SubjectCheck.unknown(source, other, named.groups)))
                .orElse(List.of());
        decisions.refuse(unknown);
        List<String> warnings = new ArrayList<>(request.warnings());
        warnings.addAll(request.unknown());
        return new RequestLine(
                location,
                Quoted.oneLine(line),
                DecisionSource.review(user, request.access()),
                prefixed(location, warnings),
                prefixed(location, unknown));
    }

    private static List<String> prefixed(String location, List<String> warnings) {
        return warnings.stream().map(warning -> location + ": " + warning).toList();
    }
}
