package io.plat.cli.cani;

import io.plat.cli.ask.DecisionSource;
import io.plat.cli.ask.PolicyFileSource;
import io.plat.cli.ask.SubjectCheck;
import io.plat.cli.command.DecisionOptions;
import io.plat.cli.command.DecisionOptions.QuestionOptions;
import io.plat.cli.command.SubjectOptions;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.Environment;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.question.QuestionParser.Question;
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
 * A file of questions: one per line in the syntax of the command line, without quotes; blank lines and lines that begin with {@code #} are
 * ignored.
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
     * @param place file and line
     * @param line as it was written
     * @param warnings warnings, with the place
     * @param suspects possible explanations of a denial, with the place
     */
    record Asked(String place, String line, AccessReview review, List<String> warnings, List<String> suspects) {
        Asked {
            warnings = List.copyOf(warnings);
            suspects = List.copyOf(suspects);
        }
    }

    @Command(name = "")
    static final class Line {
        @Parameters(index = "0", paramLabel = "VERB")
        private String verb = "";

        @Parameters(index = "1", paramLabel = "RESOURCE")
        private String target = "";

        @Mixin
        private QuestionOptions where = new QuestionOptions();

        @Mixin
        private SubjectOptions who = new SubjectOptions();
    }

    /**
     * Reads a file.
     *
     * @param file its name, or {@code -} for standard input
     * @throws CommandException if it can't be read
     */
    static RequestFile read(String file, Environment surroundings) {
        String text = new String(surroundings.read("--filename", file, MAX_BYTES), StandardCharsets.UTF_8);
        return new RequestFile(
                file.equals("-") ? "standard input" : file, text.lines().toList());
    }

    /**
     * Parses the requests of the file.
     *
     * @param usual defaults for lines without namespace
     * @param usually the subject of lines without one
     * @throws CommandException with the problems of every line, or if information that is needed for parsing is unavailable
     */
    List<Asked> parse(DecisionOptions asking, DecisionSource source, QuestionOptions usual, SubjectOptions usually) {
        List<Asked> questions = new ArrayList<>();
        Map<UserInfo, List<String>> unknownSubjects = new HashMap<>();
        List<String> problems = new ArrayList<>();
        int status = ExitStatus.UNDETERMINED;
        for (int i = 0; i < lines.size() && problems.size() < MAX_PROBLEMS; i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String place = name + ":" + (i + 1);
            try {
                Line read = new Line();
                new CommandLine(read).parseArgs(line.split("\\s+"));
                questions.add(asked(place, line, read, asking, source, usual, usually, unknownSubjects));
            } catch (ParameterException e) {
                status = ExitStatus.USAGE;
                problems.add(place + ": " + Quoted.oneLine(String.valueOf(e.getMessage())));
            } catch (CommandException e) {
                if (!e.isOfWords()) {
                    // No fault of the line's: a server that is away, for one.
                    throw e;
                }
                status = Math.min(status, e.exitStatus());
                String.valueOf(e.getMessage()).lines().forEach(problem -> problems.add(place + ": " + problem));
            }
        }
        if (!problems.isEmpty()) {
            String all = String.join("\n", problems);
            throw status == ExitStatus.USAGE ? CommandException.usage(all) : CommandException.unknown(all);
        }
        return questions;
    }

    private static Asked asked(
            String place,
            String line,
            Line read,
            DecisionOptions asking,
            DecisionSource source,
            QuestionOptions usual,
            SubjectOptions usually,
            Map<UserInfo, List<String>> unknownSubjects) {
        SubjectOptions who = read.who.subject().isPresent() ? read.who : usually;
        Optional<UserInfo> subject = who.subject();
        who.require(source instanceof PolicyFileSource);
        Question question = asking.question(source, read.verb, read.target, read.where.orElse(usual));
        List<String> unknownSubject = subject.map(user ->
                        unknownSubjects.computeIfAbsent(user, one -> SubjectCheck.unknown(source, one, who.groups)))
                .orElse(List.of());
        asking.refuse(unknownSubject);
        List<String> warnings = new ArrayList<>(question.warnings());
        warnings.addAll(question.unknown());
        return new Asked(
                place,
                Quoted.oneLine(line),
                DecisionSource.review(subject, question.access()),
                placed(place, warnings),
                placed(place, unknownSubject));
    }

    private static List<String> placed(String place, List<String> warnings) {
        return warnings.stream().map(warning -> place + ": " + warning).toList();
    }
}
