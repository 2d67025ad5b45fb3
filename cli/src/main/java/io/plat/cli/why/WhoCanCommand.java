package io.plat.cli.why;

import io.plat.cli.ExitStatus;
import io.plat.cli.Plat;
import io.plat.cli.ask.Source;
import io.plat.cli.ask.Told;
import io.plat.cli.output.Report;
import io.plat.cli.output.Table;
import io.plat.cli.question.Question;
import io.plat.engine.webhook.OneLine;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.explain.Bounded;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code plat who-can}: everybody who may do something. */
@Command(
        name = "who-can",
        mixinStandardHelpOptions = true,
        description = "Lists every user, group and service account that may do something, and through what.",
        footer = {
            "",
            "Examples:",
            "  plat who-can get secrets -n team-a",
            "  plat who-can create pods/exec -n team-a -o json",
            "  plat who-can '*' '*' -A",
            "  plat who-can delete namespaces/team-a --authorization-rbac-path policy/",
            "",
            "Exit status: 0 somebody may, 1 nobody."
        })
public final class WhoCanCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private OneAccess asked = new OneAccess();

    @Override
    public Integer call() {
        Plat program = Plat.of(spec);
        Report report = program.report();
        asked.check();
        Source source = asked.source(program);
        Question question = asked.question(program, source);
        Told<SubjectListing> told = source.explanations()
                .subjects(new AccessReview(ReviewKind.SUBJECT_LISTING, ReviewVersion.K8S_V1, null, question.access()));
        SubjectListing listing = told.said();
        Unseen.warn(report, listing.unexplained());
        switch (program.format()) {
            case TEXT -> print(report, listing);
            case JSON, YAML -> report.printDocument(told.json(), program.format());
        }
        return listing.subjects().items().isEmpty() ? ExitStatus.NO : ExitStatus.YES;
    }

    private static void print(Report report, SubjectListing listing) {
        if (listing.subjects().items().isEmpty()) {
            report.print("nobody");
            return;
        }
        Table table = new Table("KIND", "NAMESPACE", "NAME", "THROUGH");
        for (ListedSubject subject : listing.subjects().items()) {
            SubjectName who = subject.who();
            table.row(
                    who.kind() == SubjectName.Kind.EVERYBODY
                            ? "Everybody"
                            : who.kind().word(),
                    OneLine.of(who.namespace()),
                    OneLine.of(who.name()) + (who.inGroup().isEmpty() ? "" : " in group " + OneLine.of(who.inGroup())),
                    through(subject.through()));
        }
        report.print(String.join("\n", table.lines()));
        if (listing.subjects().leftOut() > 0) {
            report.print("and " + listing.subjects().leftOut() + " more");
        }
    }

    private static String through(Bounded<NamedGrant> grants) {
        NamedGrant first = grants.items().getFirst();
        long more = grants.items().size() - 1 + grants.leftOut();
        return OneLine.of(first.authorizer()) + ": " + OneLine.of(first.source())
                + (more == 0 ? "" : " (and " + more + " more)");
    }
}
