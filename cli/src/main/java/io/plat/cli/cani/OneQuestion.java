package io.plat.cli.cani;

import io.plat.cli.AskingOptions;
import io.plat.cli.CommandException;
import io.plat.cli.ExitStatus;
import io.plat.cli.Plat;
import io.plat.cli.QuestionOptions;
import io.plat.cli.SubjectOptions;
import io.plat.cli.ask.Source;
import io.plat.cli.ask.Verdict;
import io.plat.cli.output.Colour;
import io.plat.cli.output.Report;
import io.plat.cli.question.Question;
import io.plat.engine.webhook.OneLine;
import io.plat.review.AccessReview;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One question and its answer. */
final class OneQuestion {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Plat program;
    private final AskingOptions asking;
    private final SubjectOptions who;
    private final Optional<UserInfo> subject;
    private final boolean quiet;

    OneQuestion(Plat program, AskingOptions asking, SubjectOptions who, boolean quiet) {
        this.program = program;
        this.asking = asking;
        this.who = who;
        this.subject = who.subject();
        this.quiet = quiet;
    }

    /** Asks once and prints the answer; the exit status. */
    int answer(Source source, String verb, String target, QuestionOptions where) {
        Question question = read(source, verb, target, where);
        Verdict verdict = source.oracle().ask(review(question));
        List<String> namespaces = sweep(source, question, verdict, where);
        print(verdict, namespaces);
        if (!asking.strict() && !verdict.status().allowed()) {
            warn(unknownSubject(source));
        }
        return verdict.status().allowed() ? ExitStatus.YES : ExitStatus.NO;
    }

    /**
     * Asks until the answer is the one that is waited for; the exit status. A server that can't be reached for a while is waited for
     * too.
     *
     * @param anew what to ask each time after the first
     */
    int await(
            Source source,
            Supplier<Source> anew,
            String verb,
            String target,
            QuestionOptions where,
            WaitOptions waiting) {
        AccessReview review = review(read(source, verb, target, where));
        long end = System.nanoTime() + waiting.timeout().toNanos();
        Duration pause = FIRST_PAUSE;
        Source asked = source;
        while (true) {
            @Nullable Verdict verdict = null;
            @Nullable CommandException failure = null;
            try {
                verdict = asked.oracle().ask(review);
            } catch (CommandException e) {
                failure = e;
            }
            boolean came = verdict != null && waiting.isWanted(verdict.status().allowed());
            long left = end - System.nanoTime();
            if (came || left <= 0) {
                return ended(came, verdict, failure, waiting);
            }
            pause(Duration.ofNanos(Math.min(left, pause.toNanos())));
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            if (asked instanceof Source.Files) {
                asked = anew.get();
            }
        }
    }

    private int ended(
            boolean came, @Nullable Verdict verdict, @Nullable CommandException failure, WaitOptions waiting) {
        if (verdict == null) {
            throw failure == null ? CommandException.couldNotTell("nothing was answered") : failure;
        }
        print(verdict, List.of());
        if (!came) {
            warn(List.of("waited " + (waiting.timeout == null ? "1m" : waiting.timeout) + " for \"" + waiting.waitFor
                    + "\" in vain"));
        }
        return came ? ExitStatus.YES : ExitStatus.NO;
    }

    private static void pause(Duration length) {
        try {
            Thread.sleep(length);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandException.couldNotTell("interrupted");
        }
    }

    private Question read(Source source, String verb, String target, QuestionOptions where) {
        Question question = asking.question(source, verb, target, where);
        warn(question.warnings());
        warn(question.unknown());
        if (asking.strict()) {
            asking.refuse(unknownSubject(source));
        }
        return question;
    }

    private List<String> unknownSubject(Source source) {
        return subject.map(user -> SubjectCheck.unknown(source, user, who)).orElseGet(List::of);
    }

    private void warn(List<String> lines) {
        if (!quiet) {
            lines.forEach(program.report()::warn);
        }
    }

    private AccessReview review(Question question) {
        return Reviews.of(subject, question.access());
    }

    /** The namespaces in which the answer is yes, where it is no for all of them at once. */
    private List<String> sweep(Source source, Question question, Verdict verdict, QuestionOptions where) {
        boolean everywhere = where.allNamespaces && question.access() instanceof ResourceAttributes;
        if (!everywhere || verdict.status().allowed() || quiet) {
            return List.of();
        }
        ResourceAttributes access = (ResourceAttributes) question.access();
        if (!access.namespace().isEmpty() || !asking.isNamespaced(source, access)) {
            return List.of();
        }
        return NamespaceSweep.allowedIn(program, source, subject, access);
    }

    private void print(Verdict verdict, List<String> namespaces) {
        if (quiet) {
            return;
        }
        Report report = program.report();
        if (!verdict.status().evaluationError().isEmpty()) {
            report.warn("the server could not evaluate everything: "
                    + OneLine.of(verdict.status().evaluationError()));
        }
        switch (program.format()) {
            case TEXT -> report.print(text(report, verdict, namespaces));
            case JSON, YAML -> report.printDocument(NamespaceSweep.with(verdict.json(), namespaces), program.format());
        }
    }

    private static String text(Report report, Verdict verdict, List<String> namespaces) {
        if (verdict.status().allowed()) {
            return report.paint(Colour.GREEN, "yes");
        }
        List<String> parts = new ArrayList<>();
        String reason = OneLine.of(verdict.status().reason());
        if (!reason.isEmpty()) {
            parts.add(reason);
        }
        if (!namespaces.isEmpty()) {
            parts.add("yes in "
                    + String.join(", ", namespaces.stream().map(OneLine::of).toList()));
        }
        return report.paint(Colour.RED, "no") + (parts.isEmpty() ? "" : " - " + String.join("; ", parts));
    }
}
