package io.plat.cli.matrix;

import io.plat.cli.ask.DecisionSource;
import io.plat.cli.command.DecisionOptions;
import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.command.QuestionOptions;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Report;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.question.KnownVerbs;
import io.plat.cli.question.Question;
import io.plat.cli.question.ResourceTypes;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat matrix}: subjects against resources. */
@Command(name = "matrix", mixinStandardHelpOptions = true)
public final class MatrixCommand extends PlatCommand {
    private static final String CSV = "csv";
    private static final String HTML = "html";

    @Mixin
    private DecisionOptions asking = new DecisionOptions();

    @Parameters(arity = "0..*", paramLabel = "RESOURCE|/PATH")
    private List<String> targets = new ArrayList<>();

    @Mixin
    private QuestionOptions where = new QuestionOptions();

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
    protected List<String> furtherFormats() {
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
        List<MatrixSubject> rows = subjects.stream()
                .map(subject -> MatrixSubject.parse(subject, groups))
                .toList();
        targets.forEach(target -> asking.check("get", target, where));
        DecisionSource source = asking.source(plat, true);
        List<Column> columns = columns(plat.report(), source);
        MatrixBuilder maker = new MatrixBuilder(columns, verbs, rows, limit);
        MatrixTable matrix = maker.make(source, total -> plat.progress("questions", total));
        plat.warnUnseen(maker.unseen());
        if (plat.format() == OutputFormat.TEXT) {
            plat.report().warn(withoutGroups(rows));
            columns.stream()
                    .flatMap(column -> where.assumed(source.namespace(), column.access()).stream())
                    .distinct()
                    .forEach(plat.report()::note);
        }
        if (maker.leftOut() > 0) {
            plat.report().warn(maker.leftOut() + " further subjects are left out; --limit 0 shows all");
        }
        switch (plat.formatWord()) {
            case CSV -> plat.report().print(MatrixDocument.csv(matrix));
            case HTML -> plat.report().print(MatrixPage.of(matrix, about(plat, source)));
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
                        () -> MatrixDocument.json(matrix));
        }
        return ExitStatus.YES;
    }

    private String about(Program plat, DecisionSource source) {
        String namespace = where.scope(source.namespace()).namespace();
        return "Source: " + asking.origin(source) + "; "
                + (where.allNamespaces ? "all namespaces" : "namespace " + namespace) + "; "
                + plat.surroundings().clock().instant().truncatedTo(ChronoUnit.SECONDS);
    }

    /** Returns the requested users that were checked without groups, in a warning. */
    private List<String> withoutGroups(List<MatrixSubject> rows) {
        List<String> users = rows.stream()
                .filter(row -> groups.isEmpty() && row.name().kind() == SubjectName.Kind.USER)
                .map(row -> Quoted.shortLine(row.label()))
                .toList();
        return users.isEmpty()
                ? List.of()
                : List.of("checked without groups: " + String.join(", ", users) + "; give them with --as-group");
    }

    private List<Column> columns(Report report, DecisionSource source) {
        List<String> words = new ArrayList<>(targets);
        if (words.isEmpty()) {
            ResourceTypes.builtIn().all().forEach(type -> words.add(type.qualified()));
        }
        List<Column> columns = new ArrayList<>();
        for (String word : words) {
            Question question = asking.question(source, verbs.getFirst(), word, where);
            if (!targets.isEmpty()) {
                report.warn(question.unknown());
            }
            columns.add(Column.of(question.access()));
        }
        return columns;
    }
}
