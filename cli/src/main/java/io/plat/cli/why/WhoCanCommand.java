package io.plat.cli.why;

import io.plat.cli.ask.DecisionSource;
import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.Report;
import io.plat.cli.output.Table;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.question.Question;
import io.plat.cli.server.DecodedResponse;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code plat who-can}: all subjects with an access. */
@Command(name = "who-can", mixinStandardHelpOptions = true)
public final class WhoCanCommand extends PlatCommand {
    @Mixin
    private AccessArguments asked = new AccessArguments();

    @Override
    public int run(Program plat) {
        asked.check();
        DecisionSource source = asked.source(plat);
        Question question = asked.question(plat, source);
        DecodedResponse<SubjectListing> listing = source.subjects(
                new AccessReview(ReviewKind.SUBJECT_LISTING, DecisionSource.ASKED, null, question.access()));
        plat.warnUnseen(listing.said().unexplained());
        plat.print(report -> print(report, listing.said()), listing::json);
        return listing.said().subjects().items().isEmpty() ? ExitStatus.NO : ExitStatus.YES;
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
                    Quoted.shortLine(who.namespace()),
                    Quoted.shortLine(who.name())
                            + (who.inGroup().isEmpty() ? "" : " in group " + Quoted.shortLine(who.inGroup())),
                    through(subject.through()));
        }
        report.print(table);
        if (listing.subjects().leftOut() > 0) {
            report.print("and " + listing.subjects().leftOut() + " more");
        }
    }

    private static String through(BoundedList<NamedGrant> grants) {
        NamedGrant first = grants.items().getFirst();
        long more = grants.items().size() - 1 + grants.leftOut();
        return Quoted.shortLine(first.authorizer()) + ": " + Quoted.shortLine(first.source())
                + (more == 0 ? "" : " (and " + more + " more)");
    }
}
