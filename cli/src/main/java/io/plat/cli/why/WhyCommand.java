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
import io.plat.cli.server.CurrentUser;
import io.plat.cli.server.DecodedResponse;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.UserInfo;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Suggestion;
import io.plat.review.source.Quoted;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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

    @Option(names = "--for", paramLabel = "KIND:NAME")
    private @Nullable String beneficiary;

    @Option(names = "--extend", paramLabel = "ROLE")
    private @Nullable String extended;

    @Override
    public int run(Program plat) {
        asked.check();
        if (suggest && plat.format() == OutputFormat.JSON) {
            throw CommandException.usage(
                    "--suggest: prints a manifest or a policy line; without it -o json has the suggestion among the rest");
        }
        if (!suggest && (beneficiary != null || extended != null)) {
            throw CommandException.usage("--for, --extend: require --suggest");
        }
        if (beneficiary != null && extended != null) {
            throw CommandException.usage("--for: contradicts --extend");
        }
        Optional<SubjectName> other = Optional.ofNullable(beneficiary).map(WhyCommand::subject);
        Optional<UserInfo> named = other.isPresent() ? other.map(WhyCommand::user) : who.subject();
        if (other.isEmpty()) {
            who.require(asked.offline());
        }
        DecisionSource source = asked.source(plat);
        Question question = asked.question(plat, source);
        UserInfo user = named.isEmpty() && source instanceof ServerSource server
                ? CurrentUser.at(server.connection())
                : named.orElseThrow();
        named.ifPresent(subject -> asked.asking().refuseUnknown(plat, source, subject, who.groups));
        DecodedResponse<Explanation> answer = source.explain(
                new AccessReview(ReviewKind.ACCESS_EXPLANATION, DecisionSource.ASKED, user, question.access()));
        Explanation explanation = answer.said();
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
            plat.print(report -> new ExplanationText(report, user, question.access()).print(explanation), answer::json);
        }
        return explanation.allowed() ? ExitStatus.YES : ExitStatus.NO;
    }

    private static SubjectName subject(String typed) {
        int colon = typed.indexOf(':');
        String name = typed.substring(colon + 1);
        if (colon > 0 && !name.isEmpty()) {
            switch (typed.substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "group" -> {
                    return SubjectName.group(name);
                }
                case "user", "system" -> {
                    return SubjectName.user(typed.startsWith("system:") ? typed : name);
                }
                default -> {}
            }
        }
        throw CommandException.usage(
                "--for: expected group:NAME, user:NAME or system:serviceaccount:NAMESPACE:NAME, found "
                        + Quoted.of(typed));
    }

    /** Returns a user in whose name a grant to the subject is suggested; a group's name stands for a member. */
    private static UserInfo user(SubjectName subject) {
        return subject.kind() == SubjectName.Kind.GROUP
                ? new UserInfo(subject.name(), List.of(subject.name(), UserInfo.AUTHENTICATED))
                : Subject.of(
                        subject.kind() == SubjectName.Kind.SERVICE_ACCOUNT
                                ? UserInfo.serviceAccountUser(subject.namespace(), subject.name())
                                : subject.name(),
                        List.of(),
                        false);
    }

    private void suggest(Report report, Explanation explanation, GrantChoices choices) {
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
        if (suggestion.text().isEmpty()) {
            return;
        }
        if (extended != null) {
            String extension = choices.extension(extended);
            if (extension.isEmpty()) {
                throw CommandException.undetermined("--extend: adding to " + Quoted.of(extended)
                        + " alone would not allow it, as far as the nearest grants show");
            }
            report.print(extension);
            return;
        }
        report.print(
                beneficiary == null || !beneficiary.startsWith("group:")
                        ? suggestion.text().stripTrailing()
                        : forGroup(suggestion.text().stripTrailing()));
        if (beneficiary == null) {
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
