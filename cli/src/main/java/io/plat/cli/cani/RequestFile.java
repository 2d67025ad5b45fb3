package io.plat.cli.cani;

import io.plat.cli.command.DecisionOptions;
import io.plat.cli.command.DecisionOptions.ScopeOptions;
import io.plat.cli.command.SubjectOptions;
import io.plat.cli.command.UsageMessages;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.Environment;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.request.AccessRequestParser.AccessRequest;
import io.plat.cli.source.DecisionSource;
import io.plat.cli.source.PolicyFileSource;
import io.plat.cli.source.SubjectCheck;
import io.plat.review.AccessReview;
import io.plat.review.UserInfo;
import io.plat.review.source.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/**
 * A file of requests: one per line in the syntax of the command line, without quotes; blank lines and lines that begin with {@code #} are ignored.
 *
 * @param name its name in messages
 */
record RequestFile(String name, List<String> lines) {
    private static final int MAX_BYTES = 64 << 20;
    private static final int MAX_PROBLEMS = 20;

    RequestFile {
        lines = List.copyOf(lines);
    }

    /**
     * A request of the file.
     *
     * @param location file and line
     * @param line as it was written
     * @param warnings warnings, each with the location
     * @param denialHints possible explanations of a denial, each with the location
     */
    record RequestLine(
            String location, String line, AccessReview review, List<String> warnings, List<String> denialHints) {
        RequestLine {
            warnings = List.copyOf(warnings);
            denialHints = List.copyOf(denialHints);
        }
    }

    @Command(name = "")
    static final class Line {
        @Parameters(index = "0", paramLabel = "VERB")
        private String verb = "";

        @Parameters(index = "1", paramLabel = "RESOURCE")
        private String target = "";

        @Mixin
        private ScopeOptions scope = new ScopeOptions();

        @Mixin
        private SubjectOptions subjectOptions = new SubjectOptions();
    }

    /**
     * Reads a file.
     *
     * @param file its name, or {@code -} for standard input
     * @throws CommandException if it can't be read
     */
    static RequestFile read(String file, Environment environment) {
        String text = new String(environment.read("--filename", file, MAX_BYTES), StandardCharsets.UTF_8);
        return new RequestFile(
                file.equals("-") ? "standard input" : file, text.lines().toList());
    }

    /**
     * Parses the requests of the file.
     *
     * @param defaultScope defaults for lines without namespace
     * @param defaultSubject the subject of lines without one
     * @throws CommandException with the problems of every line, or if information that is needed for parsing is unavailable
     */
    List<RequestLine> parse(
            DecisionOptions decisions,
            DecisionSource source,
            ScopeOptions defaultScope,
            SubjectOptions defaultSubject) {
        List<RequestLine> requests = new ArrayList<>();
        Map<UserInfo, List<String>> unknownSubjects = new HashMap<>();
        List<String> problems = new ArrayList<>();
        int status = ExitStatus.UNDETERMINED;
        for (int i = 0; i < lines.size() && problems.size() < MAX_PROBLEMS; i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String location = name + ":" + (i + 1);
            try {
                Line read = new Line();
                new CommandLine(read).parseArgs(line.split("\\s+"));
                requests.add(requestLine(
                        location, line, read, decisions, source, defaultScope, defaultSubject, unknownSubjects));
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

    private static RequestLine requestLine(
            String location,
            String line,
            Line read,
            DecisionOptions decisions,
            DecisionSource source,
            ScopeOptions defaultScope,
            SubjectOptions defaultSubject,
            Map<UserInfo, List<String>> unknownSubjects) {
        SubjectOptions subjectOptions =
                read.subjectOptions.subject().isPresent() ? read.subjectOptions : defaultSubject;
        Optional<UserInfo> subject = subjectOptions.subject();
        subjectOptions.require(source instanceof PolicyFileSource);
        AccessRequest request = decisions.request(source, read.verb, read.target, read.scope.orElse(defaultScope));
        List<String> unknownSubject = subject.map(user -> unknownSubjects.computeIfAbsent(
                        user, one -> SubjectCheck.unknown(source, one, subjectOptions.groups)))
                .orElse(List.of());
        decisions.refuse(unknownSubject);
        List<String> warnings = new ArrayList<>(request.warnings());
        warnings.addAll(request.unknown());
        return new RequestLine(
                location,
                Quoted.oneLine(line),
                DecisionSource.review(subject, request.access()),
                prefixed(location, warnings),
                prefixed(location, unknownSubject));
    }

    private static List<String> prefixed(String location, List<String> warnings) {
        return warnings.stream().map(warning -> location + ": " + warning).toList();
    }
}
