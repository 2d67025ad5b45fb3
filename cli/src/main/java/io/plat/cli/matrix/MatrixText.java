package io.plat.cli.matrix;

import io.plat.cli.output.Report;
import io.plat.cli.output.Table;
import io.plat.cli.question.KnownVerbs;
import io.plat.engine.webhook.OneLine;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A matrix for people: one letter a verb, in fixed places where all verbs are the usual ones. */
final class MatrixText {
    private static final String LETTERS = "glwcupdD";

    private MatrixText() {}

    /**
     * Prints it.
     *
     * @param named whether the columns were asked for one by one: of all that there are, empty ones would only be in the way
     */
    static void print(AccessMatrix matrix, boolean named, Report report) {
        if (matrix.usedColumns().isEmpty()) {
            report.print("nobody may do any of it");
            return;
        }
        List<Integer> columns =
                named ? IntStream.range(0, matrix.resources().size()).boxed().toList() : matrix.usedColumns();
        boolean letters = KnownVerbs.OF_RESOURCES.containsAll(matrix.verbs());
        List<String> header = new ArrayList<>(List.of("SUBJECT"));
        columns.forEach(column -> header.add(OneLine.of(matrix.resources().get(column))));
        Table table = new Table(header.toArray(String[]::new));
        for (int row = 0; row < matrix.subjects().size(); row++) {
            List<String> cells =
                    new ArrayList<>(List.of(OneLine.of(matrix.subjects().get(row))));
            for (int column : columns) {
                List<String> allowed = matrix.allowed().get(row).get(column);
                cells.add(letters ? letters(matrix.verbs(), allowed) : String.join(",", allowed));
            }
            table.row(cells.toArray(String[]::new));
        }
        report.print(table);
        if (letters) {
            report.print("");
            report.print(legend(matrix.verbs()));
        }
    }

    private static String letters(List<String> verbs, List<String> allowed) {
        StringBuilder cell = new StringBuilder(verbs.size());
        verbs.forEach(verb -> cell.append(allowed.contains(verb) ? letter(verb) : '-'));
        return cell.toString();
    }

    private static char letter(String verb) {
        return LETTERS.charAt(KnownVerbs.OF_RESOURCES.indexOf(verb));
    }

    private static String legend(List<String> verbs) {
        return String.join(
                ", ", verbs.stream().map(verb -> letter(verb) + " " + verb).toList());
    }
}
