package io.plat.cli.access;

import io.plat.cli.command.DecisionOptions;
import io.plat.cli.command.DecisionOptions.ScopeOptions;
import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Report;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.process.ResourceText;
import io.plat.cli.request.AccessRequestParser.AccessRequest;
import io.plat.cli.request.DecisionSource;
import io.plat.cli.request.KnownVerbs;
import io.plat.cli.request.ResourceTypes;
import io.plat.cli.request.SubjectCheck;
import io.plat.review.AccessAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat matrix}: subjects against resources. */
@Command(name = "matrix", mixinStandardHelpOptions = true)
public final class MatrixCommand extends PlatCommand {
    /** Characters with which a spreadsheet formula begins, including full-width ones. */
    private static final String FORMULA = "=+-@＝＋－＠";

    private static final String CSV = "csv";
    private static final String HTML = "html";

    @Mixin
    private DecisionOptions decisions = new DecisionOptions();

    @Parameters(arity = "0..*", paramLabel = "RESOURCE|/PATH")
    private List<String> targets = new ArrayList<>();

    @Mixin
    private ScopeOptions scope = new ScopeOptions();

    @Option(names = "--subject", paramLabel = "SUBJECT")
    private List<String> subjects = new ArrayList<>();

    @Option(names = "--as-group", paramLabel = "GROUP")
    private List<String> groups = new ArrayList<>();

    @Option(names = "--wide")
    private boolean wide;

    @Option(names = "--verbs", split = ",", paramLabel = "VERB")
    private List<String> verbs = KnownVerbs.OF_RESOURCES;

    @Option(names = "--limit", paramLabel = "COUNT")
    private int limit = 500;

    @Override
    protected List<String> additionalFormats() {
        return List.of(CSV, HTML);
    }

    @Override
    public int run(Program plat) {
        if (limit < 0) {
            throw CommandException.usage("--limit: expected a count, found " + limit);
        }
        if (subjects.isEmpty() && !groups.isEmpty()) {
            throw CommandException.usage("--as-group: requires --subject");
        }
        List<MatrixBuilder.MatrixSubject> rows = subjects.stream()
                .map(subject -> MatrixBuilder.MatrixSubject.parse(subject, groups))
                .toList();
        targets.forEach(target -> decisions.check("get", target, scope));
        DecisionSource source = decisions.source(plat, true);
        List<AccessAttributes> columns = columns(plat.report(), source);
        MatrixBuilder builder = new MatrixBuilder(columns, verbs, rows, limit);
        MatrixBuilder.MatrixTable matrix = builder.build(source, total -> plat.progress("requests", total));
        plat.warnUnexplained(builder.unexplained());
        if (plat.format() == OutputFormat.TEXT) {
            plat.report().warn(unknownSubjects(source, rows));
            plat.report().warn(withoutGroups(rows));
            columns.stream()
                    .filter(column -> column instanceof ResourceAttributes resource
                            && !resource.namespace().isEmpty())
                    .limit(1)
                    .forEach(column -> plat.report().warn(SubjectCheck.misspelledNamespace(source, column)));
            columns.stream()
                    .flatMap(column -> scope.assumed(source.namespace(), column).stream())
                    .distinct()
                    .forEach(plat.report()::note);
        }
        if (builder.leftOut() > 0) {
            plat.report().warn(builder.leftOut() + " more subjects are left out; --limit 0 shows all");
        }
        switch (plat.formatWord()) {
            case CSV -> plat.report().print(csv(matrix));
            case HTML -> plat.report().print(page(matrix, about(plat, source)));
            default ->
                plat.print(
                        report -> {
                            var text = new MatrixText(matrix, !targets.isEmpty(), report);
                            if (wide) {
                                text.printWide();
                            } else {
                                text.print();
                            }
                        },
                        () -> json(matrix));
        }
        return ExitStatus.YES;
    }

    private String about(Program plat, DecisionSource source) {
        String namespace = scope.scope(source.namespace()).namespace();
        return "Source: " + decisions.origin(source) + "; "
                + (scope.allNamespaces ? "all namespaces" : "namespace " + namespace) + "; "
                + plat.environment().clock().instant().truncatedTo(ChronoUnit.SECONDS);
    }

    /** Returns the requested subjects that are unknown: a user without groups only if the name is probably misspelled. */
    private List<String> unknownSubjects(DecisionSource source, List<MatrixBuilder.MatrixSubject> rows) {
        return rows.stream()
                .flatMap(row -> SubjectCheck.unknown(source, row.name(), groups).stream()
                        .filter(line ->
                                row.name().kind() != SubjectName.Kind.USER || !groups.isEmpty() || line.endsWith("?")))
                .toList();
    }

    /** Returns the requested users that were checked without groups, in a warning. */
    private List<String> withoutGroups(List<MatrixBuilder.MatrixSubject> rows) {
        List<String> users = rows.stream()
                .filter(row -> groups.isEmpty() && row.name().kind() == SubjectName.Kind.USER)
                .map(row -> Quoted.name(row.label()))
                .toList();
        return users.isEmpty()
                ? List.of()
                : List.of("checked without groups: " + String.join(", ", users) + "; give them with --as-group");
    }

    private List<AccessAttributes> columns(Report report, DecisionSource source) {
        List<String> words = new ArrayList<>(targets);
        if (words.isEmpty()) {
            ResourceTypes.builtIn().all().forEach(type -> words.add(type.qualified()));
        }
        List<AccessAttributes> columns = new ArrayList<>();
        Set<String> unknown = new LinkedHashSet<>();
        for (String word : words) {
            AccessRequest request = decisions.request(source, verbs.getFirst(), word, scope);
            unknown.addAll(request.unknown());
            columns.add(request.access());
        }
        verbs.forEach(verb -> unknown.addAll(KnownVerbs.problem(verb, columns)));
        decisions.refuse(List.copyOf(unknown));
        report.warn(List.copyOf(unknown));
        return columns;
    }

    /**
     * Returns the page.
     *
     * @param about the source and the time of the access
     */
    private static String page(MatrixBuilder.MatrixTable matrix, String about) {
        StringBuilder rows = new StringBuilder("<thead><tr><th scope=\"col\">Subject</th>");
        matrix.resources()
                .forEach(resource -> rows.append("<th scope=\"col\"><span>")
                        .append(Quoted.html(Quoted.name(resource)))
                        .append("</span></th>"));
        rows.append("</tr></thead>\n<tbody>\n");
        for (int row = 0; row < matrix.subjects().size(); row++) {
            rows.append("<tr><th scope=\"row\">")
                    .append(Quoted.html(Quoted.name(matrix.subjects().get(row))))
                    .append("</th>");
            matrix.allowed().get(row).forEach(cell -> rows.append(cell(matrix, cell)));
            rows.append("</tr>\n");
        }
        // The legend and the rows are inserted last, as names in them may look like placeholders.
        String[] parts = ResourceText.read("matrix-head.html").split("@(?:ABOUT|LEGEND|ROWS)@", -1);
        return (parts[0] + Quoted.html(about) + parts[1] + Quoted.html(MatrixText.legend(matrix)) + parts[2] + rows
                        + "</tbody>" + parts[3])
                .stripTrailing();
    }

    private static String cell(MatrixBuilder.MatrixTable matrix, List<String> allowed) {
        if (allowed.isEmpty()) {
            return "<td></td>";
        }
        return (allowed.size() == matrix.verbs().size() ? "<td class=\"all\">" : "<td class=\"some\">")
                + "<abbr title=\"" + Quoted.html(String.join(" ", allowed)) + "\">"
                + Quoted.html(MatrixText.letters(matrix, allowed)) + "</abbr></td>";
    }

    private static byte[] json(MatrixBuilder.MatrixTable matrix) {
        List<Object> cells = new ArrayList<>();
        for (int row = 0; row < matrix.subjects().size(); row++) {
            for (int column = 0; column < matrix.resources().size(); column++) {
                List<String> allowed = matrix.allowed().get(row).get(column);
                if (!allowed.isEmpty()) {
                    cells.add(JsonAnswer.object(
                            "subject", matrix.subjects().get(row),
                            "resource", matrix.resources().get(column),
                            "verbs", allowed));
                }
            }
        }
        return JsonAnswer.of(
                JsonAnswer.object("subjects", matrix.subjects(), "resources", matrix.resources(), "cells", cells));
    }

    /** Lines of comma-separated values (RFC 4180, with line feeds). */
    private static String csv(MatrixBuilder.MatrixTable matrix) {
        StringBuilder csv = new StringBuilder("subject");
        matrix.resources().forEach(resource -> csv.append(',').append(field(resource)));
        for (int row = 0; row < matrix.subjects().size(); row++) {
            csv.append('\n').append(field(matrix.subjects().get(row)));
            matrix.allowed().get(row).forEach(cell -> csv.append(',').append(field(String.join(" ", cell))));
        }
        return csv.toString();
    }

    /** Returns a field; a name that a spreadsheet would take for a formula is preceded by an apostrophe. */
    private static String field(String value) {
        String line = Quoted.name(value);
        String safe = !line.isEmpty() && FORMULA.indexOf(line.charAt(0)) >= 0 ? "'" + line : line;
        boolean plain = safe.chars().noneMatch(character -> ",;\"".indexOf(character) >= 0);
        return plain ? safe : "\"" + safe.replace("\"", "\"\"") + "\"";
    }
}
