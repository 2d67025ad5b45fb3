package io.plat.cli.matrix;

import io.plat.cli.output.Table;
import io.plat.cli.question.KnownVerbs;
import io.plat.engine.webhook.OneLine;
import java.util.ArrayList;
import java.util.List;

/** A matrix for people: one letter a verb, in fixed places where all verbs are the usual ones. */
final class MatrixText {
    private static final String LETTERS = "glwcupdD";

    private MatrixText() {}

    static List<String> lines(AccessMatrix matrix) {
        List<Integer> columns = matrix.usedColumns();
        if (columns.isEmpty()) {
            return List.of("nobody may do any of it");
        }
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
        List<String> lines = new ArrayList<>(table.lines());
        if (letters) {
            lines.add("");
            lines.add(legend(matrix.verbs()));
        }
        return lines;
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
