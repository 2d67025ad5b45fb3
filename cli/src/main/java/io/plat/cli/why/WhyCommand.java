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
import io.plat.cli.question.Subject;
import io.plat.cli.question.SubjectLabel;
import io.plat.cli.server.CurrentUser;
import io.plat.cli.server.DecodedResponse;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.UserInfo;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Suggestion;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code plat why}: the grants of a request, or what is missing. */
@Command(name = "why", mixinStandardHelpOptions = true)
public final class WhyCommand extends PlatCommand {
    /** The beginning of the note on a grant in a decider's policy. */
    private static final String OF_ANOTHER = "for ";

    @Mixin
    private AccessArguments asked = new AccessArguments();

    @Mixin
    private SubjectOptions who = new SubjectOptions();

    @Option(names = "--suggest")
    private boolean suggest;

    @Option(names = "--for", paramLabel = "KIND:NAME")
    private @Nullable String beneficiary;

    @Option(names = "--extend", paramLabel = "ROLE")
    private @Nullable String extended;

    @Override
    public int run(Program plat) {
        checkForm(plat);
        Optional<UserInfo> named =
                beneficiary == null ? who.subject() : Optional.of(user(SubjectLabel.parse("--for", beneficiary)));
        if (named.isEmpty()) {
            who.require(asked.asking.offline());
        }
        DecisionSource source = asked.source(plat);
        Question question = asked.question(plat, source);
        UserInfo user = named.isEmpty() && source instanceof ServerSource server
                ? CurrentUser.at(server.connection())
                : named.orElseThrow();
        named.ifPresent(subject -> asked.asking.refuseUnknown(source, subject, who.groups));
        DecodedResponse<Explanation> answer = source.explain(
                new AccessReview(ReviewKind.ACCESS_EXPLANATION, DecisionSource.ASKED, user, question.access()));
        Explanation explanation = answer.said();
        named.ifPresent(subject -> asked.asking.refuseUnsure(source, subject, who.groups, explanation.allowed()));
        plat.warnUnseen(explanation.findings().unexplained());
        if (suggest) {
            suggest(
                    plat.report(),
                    explanation,
                    new GrantChoices(
                            user,
                            question.access(),
                            explanation.findings().nearMisses().items()));
        } else {
            if (!explanation.allowed() && named.isPresent()) {
                plat.report().warn(SubjectCheck.afterNo(source, user, who.groups, question.access()));
            }
            plat.print(report -> new ExplanationText(report, user, question.access()).print(explanation),
                    () -> GrantDocument.structured(answer.json()));
        }
        return explanation.allowed() ? ExitStatus.YES : ExitStatus.NO;
    }

    private void checkForm(Program plat) {
        if (suggest && plat.format() == OutputFormat.JSON) {
            throw CommandException.usage(
                    "--suggest: prints a manifest or a policy line; without it -o json has the suggestion among the rest");
        }
        if (beneficiary != null && extended != null) {
            throw CommandException.usage("--for: contradicts --extend");
        }
        if (!suggest && (beneficiary != null || extended != null)) {
            throw CommandException.usage("--for, --extend: require --suggest");
        }
    }

    /** Returns a user in whose name a grant to the subject is suggested; a group's name stands for a member. */
    private static UserInfo user(SubjectName subject) {
        return Subject.of(
                SubjectLabel.user(subject),
                subject.kind() == SubjectName.Kind.GROUP ? List.of(subject.name()) : List.of(),
                false);
    }

    private void suggest(Report report, Explanation explanation, GrantChoices choices) {
        Suggestion suggestion = explanation.findings().suggestion();
        if (explanation.allowed() || suggestion == null) {
            report.warn(
                    explanation.allowed()
                            ? "it is allowed already, so that no grant is suggested"
                            : "no grant is suggested");
            return;
        }
        if (suggestion.note().startsWith(OF_ANOTHER)) {
            report.note("the grant belongs to the policy of another program: "
                    + suggestion.note().substring(OF_ANOTHER.length()));
        } else if (!suggestion.note().isEmpty()) {
            report.warn(suggestion.note());
        }
        String text = suggestion.text().stripTrailing();
        if (text.isEmpty()) {
            return;
        }
        if (extended != null) {
            report.print(choices.extension(extended));
        } else if (beneficiary != null && beneficiary.startsWith("group:")) {
            report.print(forGroup(text));
        } else {
            report.print(text);
            choices.lines().forEach(line -> report.note("or " + line));
        }
    }

    /** Returns a grant to a user of a group's name as one to the group. */
    private static String forGroup(String text) {
        String granted = text.startsWith("{")
                ? text.replaceFirst("\"user\":", "\"group\":")
                : text.replaceFirst("(?m)^- kind: \"User\"$", "- kind: \"Group\"");
        if (granted.equals(text)) {
            throw CommandException.undetermined("--for: no grant to this group can be suggested");
        }
        return granted;
    }
}
