package io.plat.cli.why;

import io.plat.cli.ask.DecisionSource;
import io.plat.cli.ask.ServerSource;
import io.plat.cli.ask.SubjectCheck;
import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.command.SubjectOptions;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Report;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.question.Question;
import io.plat.cli.question.QuestionText;
import io.plat.cli.server.CurrentUser;
import io.plat.cli.server.DecodedResponse;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.UserInfo;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.Suggestion;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code plat why}: the grants of a request, or what is missing. */
@Command(name = "why", mixinStandardHelpOptions = true)
public final class WhyCommand extends PlatCommand {
    @Mixin
    private AccessArguments asked = new AccessArguments();

    @Mixin
    private SubjectOptions who = new SubjectOptions();

    @Option(names = "--suggest")
    private boolean suggest;

    @Override
    public int run(Program plat) {
        asked.check();
        if (suggest && plat.format() == OutputFormat.JSON) {
            throw CommandException.usage(
                    "--suggest: prints a manifest or a policy line; without it -o json has the suggestion among the rest");
        }
        Optional<UserInfo> named = who.subject();
        who.require(asked.offline());
        DecisionSource source = asked.source(plat);
        Question question = asked.question(plat, source);
        UserInfo user = named.isEmpty() && source instanceof ServerSource server
                ? CurrentUser.at(server.connection())
                : named.orElseThrow();
        DecodedResponse<Explanation> answer = source.explain(
                new AccessReview(ReviewKind.ACCESS_EXPLANATION, DecisionSource.ASKED, user, question.access()));
        Explanation explanation = answer.said();
        plat.warnUnseen(explanation.findings().unexplained());
        if (suggest) {
            suggest(plat.report(), explanation);
        } else {
            if (!explanation.allowed() && named.isPresent()) {
                plat.report().warn(SubjectCheck.afterNo(source, user, who.groups, question.access()));
            }
            String asking = QuestionText.of(user) + ": " + QuestionText.of(question.access());
            plat.print(report -> new ExplanationText(report).print(asking, explanation), answer::json);
        }
        return explanation.allowed() ? ExitStatus.YES : ExitStatus.NO;
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
