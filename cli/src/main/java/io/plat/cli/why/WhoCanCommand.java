package io.plat.cli.why;

import io.plat.cli.ask.DecisionSource;
import io.plat.cli.command.NamespaceSweep;
import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Report;
import io.plat.cli.output.Table;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.question.Question;
import io.plat.cli.server.DecodedResponse;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.ReviewKind;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code plat who-can}: all subjects with an access. */
@Command(name = "who-can", mixinStandardHelpOptions = true)
public final class WhoCanCommand extends PlatCommand {
    @Mixin
    private AccessArguments asked = new AccessArguments();

    @Option(names = "--every-namespace")
    private boolean everyNamespace;

    @Override
    public int run(Program plat) {
        asked.where.allNamespaces |= everyNamespace;
        DecisionSource source = asked.source(plat);
        Question question = asked.question(plat, source);
        DecodedResponse<SubjectListing> listing = subjects(source, question.access());
        plat.warnUnseen(listing.said().unexplained());
        if (plat.format() == OutputFormat.TEXT) {
            asked.where.assumed(source.namespace(), question.access()).forEach(plat.report()::note);
        }
        Map<String, DecodedResponse<SubjectListing>> byNamespace = new LinkedHashMap<>();
        if (asked.where.allNamespaces && !everyNamespace) {
            NamespaceSweep.each(
                    plat,
                    source,
                    question.access(),
                    (namespace, access) -> byNamespace.put(namespace, subjects(source, access)));
        }
        Map<SubjectName, Row> rows = rows(listing.said(), byNamespace);
        plat.print(
                report -> print(report, rows, !byNamespace.isEmpty(), listing.said().subjects().leftOut()),
                () -> NamespaceSweep.with(
                        GrantDocument.structured(listing.json()),
                        byNamespace.values().stream()
                                .map(one -> new String(GrantDocument.structured(one.json()), StandardCharsets.UTF_8))
                                .toList()));
        return rows.isEmpty() ? ExitStatus.NO : ExitStatus.YES;
    }

    private static DecodedResponse<SubjectListing> subjects(DecisionSource source, AccessAttributes access) {
        return source.subjects(new AccessReview(ReviewKind.SUBJECT_LISTING, DecisionSource.ASKED, null, access));
    }

    /**
     * A subject.
     *
     * @param through the first grant, and the number of others
     * @param namespaces the namespaces in which it has the access; none if that is in all requested ones
     */
    private record Row(String through, List<String> namespaces) {}

    private static Map<SubjectName, Row> rows(
            SubjectListing requested, Map<String, DecodedResponse<SubjectListing>> byNamespace) {
        Map<SubjectName, Row> rows = new LinkedHashMap<>();
        requested.subjects().items().forEach(one -> rows.put(one.who(), new Row(through(one.through()), List.of())));
        Set<SubjectName> everywhere = Set.copyOf(rows.keySet());
        byNamespace.forEach((namespace, listing) -> {
            for (ListedSubject subject : listing.said().subjects().items()) {
                if (!everywhere.contains(subject.who())) {
                    rows.computeIfAbsent(subject.who(), any -> new Row(through(subject.through()), new ArrayList<>()))
                            .namespaces()
                            .add(Quoted.shortLine(namespace));
                }
            }
        });
        return rows;
    }

    private static void print(Report report, Map<SubjectName, Row> rows, boolean places, long leftOut) {
        if (rows.isEmpty()) {
            report.print("nobody");
            return;
        }
        Table table = places
                ? new Table("KIND", "NAMESPACE", "NAME", "ALLOWED IN", "THROUGH")
                : new Table("KIND", "NAMESPACE", "NAME", "THROUGH");
        rows.forEach((who, row) -> {
            List<String> cells = new ArrayList<>(List.of(
                    who.kind() == SubjectName.Kind.EVERYBODY
                            ? "Everybody"
                            : who.kind().word(),
                    Quoted.shortLine(who.namespace()),
                    Quoted.shortLine(who.name())
                            + (who.inGroup().isEmpty() ? "" : " in group " + Quoted.shortLine(who.inGroup()))));
            if (places) {
                cells.add(row.namespaces().isEmpty() ? "all namespaces" : String.join(",", row.namespaces()));
            }
            cells.add(row.through());
            table.row(cells.toArray(String[]::new));
        });
        report.print(table);
        if (leftOut > 0) {
            report.print("and " + leftOut + " more");
        }
    }

    private static String through(BoundedList<NamedGrant> grants) {
        NamedGrant first = grants.items().getFirst();
        long more = grants.items().size() - 1 + grants.leftOut();
        return Quoted.shortLine(first.authorizer()) + ": " + Quoted.shortLine(first.source())
                + (more == 0 ? "" : " (and " + more + " more)");
    }
}
