package io.plat.cli.cani;

import io.plat.cli.AskingOptions;
import io.plat.cli.CommandException;
import io.plat.cli.ExitStatus;
import io.plat.cli.Plat;
import io.plat.cli.QuestionOptions;
import io.plat.cli.SubjectOptions;
import io.plat.cli.ask.Oracle;
import io.plat.cli.ask.Source;
import io.plat.cli.ask.Verdict;
import io.plat.cli.output.Colour;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Progress;
import io.plat.cli.output.Report;
import io.plat.engine.webhook.OneLine;
import java.util.List;

/**
 * Many questions, answered one after another over one connection. All are read before the first is asked, so that a wrong line is told
 * before anything else.
 */
final class ManyQuestions {
    /** A server that fails so often in a row is not asked any more. */
    private static final int MOST_FAILURES = 3;

    private final Plat program;
    private final AskingOptions asking;
    private final SubjectOptions subject;
    private final boolean quiet;

    /**
     * What becomes of questions.
     *
     * @param subject whom those are about that do not say
     */
    ManyQuestions(Plat program, AskingOptions asking, SubjectOptions subject, boolean quiet) {
        this.program = program;
        this.asking = asking;
        this.subject = subject;
        this.quiet = quiet;
    }

    /**
     * Answers every line; the exit status.
     *
     * @param file its name, or {@code -}
     * @param where where those are asked about that do not say
     */
    int answer(String file, QuestionOptions where) {
        QuestionFile questions = QuestionFile.read(file, program.surroundings().in());
        Source source = asking.source(program);
        List<QuestionFile.Asked> asked = questions.parse(asking, source, where, subject);
        asked.forEach(question -> question.warnings().forEach(program.report()::warn));
        Oracle oracle = source.oracle();
        boolean no = false;
        boolean failed = false;
        int inARow = 0;
        try (Progress progress = program.progress("questions", asked.size())) {
            for (QuestionFile.Asked question : asked) {
                try {
                    Verdict verdict = oracle.ask(question.review());
                    no |= !verdict.status().allowed();
                    inARow = 0;
                    print(question, verdict);
                    if (!verdict.status().allowed()) {
                        question.suspects().forEach(program.report()::warn);
                    }
                } catch (CommandException e) {
                    failed = true;
                    told(question, e);
                    if (++inARow == MOST_FAILURES) {
                        throw CommandException.couldNotTell("gave up after " + inARow + " failures in a row");
                    }
                }
                progress.step();
            }
        }
        return failed ? ExitStatus.COULD_NOT_TELL : no ? ExitStatus.NO : ExitStatus.YES;
    }

    private void print(QuestionFile.Asked question, Verdict verdict) {
        if (quiet) {
            return;
        }
        Report report = program.report();
        switch (program.format()) {
            case TEXT -> {
                boolean allowed = verdict.status().allowed();
                String reason = allowed ? "" : OneLine.of(verdict.status().reason());
                report.print((allowed ? report.paint(Colour.GREEN, "yes") : report.paint(Colour.RED, "no") + " ") + "  "
                        + question.line() + (reason.isEmpty() ? "" : " - " + reason));
            }
            case JSON -> report.printDocument(verdict.json(), OutputFormat.JSON);
            case YAML -> {
                report.print("---");
                report.printDocument(verdict.json(), OutputFormat.YAML);
            }
        }
    }

    private void told(QuestionFile.Asked question, CommandException failure) {
        program.report().warn(question.place() + ": " + question.line() + ": " + failure.getMessage());
    }
}
