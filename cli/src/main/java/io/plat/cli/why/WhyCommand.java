package io.plat.cli.why;

import io.plat.cli.CommandException;
import io.plat.cli.ExitStatus;
import io.plat.cli.Plat;
import io.plat.cli.SubjectOptions;
import io.plat.cli.ask.Source;
import io.plat.cli.ask.Told;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Report;
import io.plat.cli.question.Question;
import io.plat.cli.server.Me;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.Suggestion;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code plat why}: what allows something, or what is missing. */
@Command(
        name = "why",
        mixinStandardHelpOptions = true,
        description = "Says what allows something; where nothing does, what comes nearest and what would.",
        footer = {
            "",
            "Examples:",
            "  plat why get secrets -n team-a",
            "  plat why delete pods/web-1 -n team-a --as alice --as-group developers",
            "  plat why create deployments -n team-a --as bob --suggest | kubectl apply -f -",
            "  plat why get /metrics --as carol --authorization-policy-file policy.jsonl -o json",
            "",
            "Exit status: 0 allowed, 1 not allowed."
        })
public final class WhyCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private OneAccess asked = new OneAccess();

    @Mixin
    private SubjectOptions who = new SubjectOptions();

    @Option(
            names = "--suggest",
            description =
                    "print the smallest grant that would allow it, as a manifest or a policy line, and nothing else")
    private boolean suggest;

    @Override
    public Integer call() {
        Plat program = Plat.of(spec);
        asked.check();
        if (suggest && program.format() == OutputFormat.JSON) {
            throw CommandException.usage(
                    "--suggest: prints a manifest or a policy line; without it -o json has the suggestion among the rest");
        }
        @Nullable UserInfo named = who.subject().orElse(null);
        if (asked.offline() && named == null) {
            throw CommandException.usage("--as: required with policy files: without a server nobody is logged in");
        }
        Source source = asked.source(program);
        Question question = asked.question(program, source);
        UserInfo user = named == null ? asker(source) : named;
        Told<Explanation> told = source.explanations()
                .explain(
                        new AccessReview(ReviewKind.ACCESS_EXPLANATION, ReviewVersion.K8S_V1, user, question.access()));
        print(program, told);
        return told.said().allowed() ? ExitStatus.YES : ExitStatus.NO;
    }

    private static UserInfo asker(Source source) {
        return switch (source) {
            case Source.Files files -> throw new IllegalStateException("nobody is logged in without a server");
            case Source.Server server -> Me.at(server.connection());
        };
    }

    private void print(Plat program, Told<Explanation> told) {
        Report report = program.report();
        Explanation explanation = told.said();
        Unseen.warn(report, explanation.findings().unexplained());
        if (suggest) {
            suggest(report, explanation);
            return;
        }
        switch (program.format()) {
            case TEXT -> new ExplanationText(report).print(explanation);
            case JSON, YAML -> report.printDocument(told.json(), program.format());
        }
    }

    private static void suggest(Report report, Explanation explanation) {
        if (explanation.allowed()) {
            report.warn("it is allowed already, so that no grant is suggested");
            return;
        }
        Suggestion suggestion = explanation.findings().suggestion();
        if (suggestion == null) {
            report.warn("no grant is suggested");
            return;
        }
        if (!suggestion.note().isEmpty()) {
            report.warn(suggestion.note());
        }
        if (!suggestion.text().isEmpty()) {
            report.print(suggestion.text().stripTrailing());
        }
    }
}
