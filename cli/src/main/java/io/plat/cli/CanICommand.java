package io.plat.cli;

import io.plat.cli.ask.Oracle;
import io.plat.cli.ask.PolicyOracle;
import io.plat.cli.ask.ServerOracle;
import io.plat.cli.ask.Verdict;
import io.plat.cli.output.Colour;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Report;
import io.plat.cli.question.Question;
import io.plat.cli.question.QuestionParser;
import io.plat.cli.question.ResourceTypes;
import io.plat.cli.server.ServerChoice;
import io.plat.engine.webhook.OneLine;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code plat can-i}: one question, answered yes or no. */
@Command(
        name = "can-i",
        mixinStandardHelpOptions = true,
        description = "Says whether something is allowed: yes, or no with the reason.",
        footer = {
            "",
            "Examples:",
            "  plat can-i get pods -n team-a",
            "  plat can-i update deployments.apps/web --as alice --as-group developers",
            "  plat can-i get pods/log -A",
            "  plat can-i get /metrics",
            "  plat can-i create secrets --as ci --authorization-rbac-path policy/"
        })
final class CanICommand implements Callable<Integer> {
    /** Every server of the field knows this version; both programs of this product do. */
    private static final ReviewVersion ASKED = ReviewVersion.K8S_V1;

    @ParentCommand
    private @Nullable Plat plat;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Parameters(index = "0", paramLabel = "VERB", description = "such as get, list, create, delete")
    private String verb = "";

    @Parameters(
            index = "1",
            paramLabel = "RESOURCE[.GROUP][/NAME]|/PATH",
            description = "a resource type, one object of it, or a path that is no resource")
    private String target = "";

    @Mixin
    private QuestionOptions where = new QuestionOptions();

    @Mixin
    private SubjectOptions who = new SubjectOptions();

    @Mixin
    private PolicyOptions policy = new PolicyOptions();

    @Option(
            names = {"-q", "--quiet"},
            description = "print nothing, answer by the exit status alone")
    private boolean quiet;

    /** Called while the command line is read, before what {@code --list} has no need of is missed. */
    @Option(names = "--list", hidden = true)
    void list(boolean wanted) {
        if (wanted) {
            throw CommandException.usage("--list: not there yet, as it needs SelfSubjectRulesReview; "
                    + "ask about one VERB and RESOURCE at a time");
        }
    }

    @Override
    public Integer call() {
        Plat program = Plat.of(plat);
        Optional<UserInfo> subject = who.subject();
        QuestionParser parser = new QuestionParser(ResourceTypes.builtIn());
        // A wrong question is refused before any file or server is looked for; only then is the namespace known.
        parser.parse(verb, target, where.scope(""));
        Oracle oracle;
        String namespace;
        if (policy.given()) {
            if (subject.isEmpty()) {
                throw CommandException.usage("--as: required with policy files: without a server nobody is logged in");
            }
            oracle = new PolicyOracle(policy.authorizer(program.report()));
            namespace = "default";
        } else {
            ServerChoice choice = program.serverChoice(connection);
            oracle = new ServerOracle(choice.connect());
            namespace = choice.namespace();
        }
        Question question = parser.parse(verb, target, where.scope(namespace));
        if (!quiet) {
            question.warnings().forEach(program.report()::warn);
        }
        Verdict verdict = oracle.ask(review(subject, question));
        if (!quiet) {
            print(program.report(), program.format(), verdict);
        }
        return verdict.status().allowed() ? ExitStatus.YES : ExitStatus.NO;
    }

    private static AccessReview review(Optional<UserInfo> subject, Question question) {
        return subject.map(user -> new AccessReview(ReviewKind.SUBJECT_ACCESS_REVIEW, ASKED, user, question.access()))
                .orElseGet(
                        () -> new AccessReview(ReviewKind.SELF_SUBJECT_ACCESS_REVIEW, ASKED, null, question.access()));
    }

    private static void print(Report report, OutputFormat format, Verdict verdict) {
        if (!verdict.status().evaluationError().isEmpty()) {
            report.warn("the server could not evaluate everything: "
                    + OneLine.of(verdict.status().evaluationError()));
        }
        switch (format) {
            case TEXT -> report.print(text(report, verdict));
            case JSON, YAML -> report.printDocument(verdict.json(), format);
        }
    }

    private static String text(Report report, Verdict verdict) {
        if (verdict.status().allowed()) {
            return report.paint(Colour.GREEN, "yes");
        }
        String reason = OneLine.of(verdict.status().reason());
        return report.paint(Colour.RED, "no") + (reason.isEmpty() ? "" : " - " + reason);
    }
}
