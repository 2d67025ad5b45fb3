package io.plat.cli.matrix;

import io.plat.cli.AskingOptions;
import io.plat.cli.CommandException;
import io.plat.cli.ExitStatus;
import io.plat.cli.FurtherFormats;
import io.plat.cli.Plat;
import io.plat.cli.QuestionOptions;
import io.plat.cli.ask.Source;
import io.plat.cli.output.Report;
import io.plat.cli.question.KnownVerbs;
import io.plat.cli.question.Question;
import io.plat.cli.question.ResourceType;
import io.plat.cli.question.ResourceTypes;
import io.plat.cli.why.Unseen;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plat matrix}: subjects against resources. */
@Command(
        name = "matrix",
        mixinStandardHelpOptions = true,
        description = "Shows who may do what: subjects against resources.",
        footer = {
            "",
            "Examples:",
            "  plat matrix -n team-a",
            "  plat matrix pods secrets deployments.apps --verbs get,create,delete -A",
            "  plat matrix --subject alice --subject group:developers -o csv",
            "  plat matrix --authorization-rbac-path policy/ -o html > access.html",
        })
public final class MatrixCommand implements Callable<Integer>, FurtherFormats {
    private static final String CSV = "csv";
    private static final String HTML = "html";

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private AskingOptions asking = new AskingOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "RESOURCE|/PATH",
            description = "the columns (every built-in resource type)")
    private List<String> targets = new ArrayList<>();

    @Mixin
    private QuestionOptions where = new QuestionOptions();

    @Option(
            names = "--subject",
            paramLabel = "SUBJECT",
            description =
                    "a row, repeatable: a user, group:NAME, system:serviceaccount:NAMESPACE:NAME, or * for everybody "
                            + "(everybody who may do any of it)")
    private List<String> subjects = new ArrayList<>();

    @Option(
            names = "--verbs",
            split = ",",
            paramLabel = "VERB",
            description = "the verbs that are asked about (get,list,watch,create,update,patch,delete,deletecollection)")
    private List<String> verbs = KnownVerbs.OF_RESOURCES;

    @Option(names = "--limit", paramLabel = "COUNT", description = "how many rows at most, 0 for any number (500)")
    private int limit = 500;

    @Override
    public List<String> furtherFormats() {
        return List.of(CSV, HTML);
    }

    @Override
    public Integer call() {
        Plat program = Plat.of(spec);
        if (limit < 0) {
            throw CommandException.usage("--limit: expected a count, found " + limit);
        }
        List<MatrixSubject> rows = subjects.stream().map(MatrixSubject::parse).toList();
        targets.forEach(target -> asking.check("get", target, where));
        Source source = asking.source(program);
        MatrixMaker maker = new MatrixMaker(columns(program.report(), source), verbs, rows, limit);
        AccessMatrix matrix = maker.make(source.explanations(), total -> program.progress("questions", total));
        Unseen.warn(program.report(), maker.unseen());
        if (maker.leftOut() > 0) {
            program.report().warn(maker.leftOut() + " further subjects are left out; --limit 0 shows all");
        }
        print(program, matrix);
        return ExitStatus.YES;
    }

    private List<Column> columns(Report report, Source source) {
        List<String> words = new ArrayList<>(targets);
        if (words.isEmpty()) {
            ResourceTypes.builtIn().all().forEach(type -> words.add(word(type)));
        }
        List<Column> columns = new ArrayList<>();
        for (String word : words) {
            Question question = asking.question(source, verbs.getFirst(), word, where);
            if (!targets.isEmpty()) {
                question.unknown().forEach(report::warn);
            }
            columns.add(Column.of(question.access()));
        }
        return columns;
    }

    private static String word(ResourceType type) {
        return type.group().isEmpty() ? type.resource() : type.resource() + "." + type.group();
    }

    private void print(Plat program, AccessMatrix matrix) {
        switch (program.formatWord()) {
            case CSV -> program.report().print(MatrixDocument.csv(matrix));
            case HTML -> program.report().print(MatrixPage.of(matrix));
            case "text" -> program.report().print(String.join("\n", MatrixText.lines(matrix, !targets.isEmpty())));
            default -> program.report().printDocument(MatrixDocument.json(matrix), program.format());
        }
    }
}
