package io.plat.cli.access;

import io.plat.cli.output.Colour;
import io.plat.cli.output.Report;
import io.plat.cli.output.Report.Table;
import io.plat.cli.request.KnownVerbs;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A matrix as text. */
final class MatrixText {
    private static final String LETTERS = "glwcupdD";
    private static final String MARK = "✓";

    /** Maximum length of a resource name in a line of 80 columns with a column for each standard verb. */
    private static final int MAX_RESOURCE = 28;

    private final MatrixBuilder.MatrixTable matrix;
    private final List<Integer> columns;
    private final boolean letters;
    private final Report report;

    /**
     * Creates the text of a matrix.
     *
     * @param named whether the columns were selected one by one: otherwise empty ones are left out
     */
    MatrixText(MatrixBuilder.MatrixTable matrix, boolean named, Report report) {
        this.matrix = matrix;
        this.columns =
                named ? IntStream.range(0, matrix.resources().size()).boxed().toList() : matrix.usedColumns();
        this.letters = hasStandardVerbs(matrix);
        this.report = report;
    }

    /** Prints a section for each subject: its resources as rows, and a column for each verb. */
    void print() {
        if (nothing()) {
            return;
        }
        for (int row = 0; row < matrix.subjects().size(); row++) {
            if (row > 0) {
                report.print("");
            }
            section(row);
        }
    }

    private boolean nothing() {
        boolean nothing = matrix.usedColumns().isEmpty();
        if (nothing) {
            report.print(
                    matrix.subjects().isEmpty()
                            ? "no subject has any of this access"
                            : String.join(
                                            ", ",
                                            matrix.subjects().stream()
                                                    .map(Quoted::shortLine)
                                                    .toList()) + " has none of this access");
        }
        return nothing;
    }

    private void section(int row) {
        String subject = Quoted.name(matrix.subjects().get(row));
        if (columns.stream()
                .allMatch(column -> matrix.allowed().get(row).get(column).isEmpty())) {
            report.print(subject + " has none of this access");
            return;
        }
        report.print(subject);
        List<String> resources = columns.stream()
                .map(column -> Quoted.name(matrix.resources().get(column)))
                .toList();
        int width = resources.stream()
                .mapToInt(String::length)
                .filter(length -> length <= MAX_RESOURCE)
                .max()
                .orElse(0);
        StringBuilder header = new StringBuilder("  ").append(" ".repeat(width));
        matrix.verbs().forEach(verb -> header.append(' ').append(head(verb)));
        report.print(header.toString());
        for (int i = 0; i < columns.size(); i++) {
            List<String> allowed = matrix.allowed().get(row).get(columns.get(i));
            if (!allowed.isEmpty()) {
                String resource = resources.get(i);
                // A name that leaves no room is on a separate line.
                String first = resource.length() <= width
                        ? resource + " ".repeat(width - resource.length())
                        : resource + "\n  " + " ".repeat(width);
                report.print(("  " + first + marks(allowed)).stripTrailing());
            }
        }
    }

    private static String head(String verb) {
        return verb.equals("deletecollection") ? "delcoll" : verb;
    }

    private String marks(List<String> allowed) {
        StringBuilder marks = new StringBuilder();
        for (String verb : matrix.verbs()) {
            int width = head(verb).length();
            String mark = report.isColoured() ? MARK : letters ? String.valueOf(letter(verb)) : "y";
            String shown = allowed.contains(verb) ? report.paint(Colour.GREEN, mark) : "-";
            marks.append(' ').append(shown).append(" ".repeat(width - 1));
        }
        return marks.toString();
    }

    /** Prints a row for each subject and a column for each resource: one letter per verb, in fixed positions if all verbs are standard ones. */
    void printWide() {
        if (nothing()) {
            return;
        }
        List<String> header = new ArrayList<>(List.of("SUBJECT"));
        columns.forEach(column -> header.add(Quoted.name(matrix.resources().get(column))));
        Table table = new Table(header.toArray(String[]::new));
        for (int row = 0; row < matrix.subjects().size(); row++) {
            List<String> cells =
                    new ArrayList<>(List.of(Quoted.name(matrix.subjects().get(row))));
            for (int column : columns) {
                List<String> allowed = matrix.allowed().get(row).get(column);
                cells.add(letters(matrix, allowed));
            }
            table.row(cells.toArray(String[]::new));
        }
        report.print(table);
        if (letters) {
            report.print("");
            report.print(legend(matrix));
        }
    }

    /** Returns verbs as letters in fixed positions; as words if a matrix has other verbs. */
    static String letters(MatrixBuilder.MatrixTable matrix, List<String> allowed) {
        if (!hasStandardVerbs(matrix)) {
            return String.join(",", allowed);
        }
        StringBuilder cell = new StringBuilder(matrix.verbs().size());
        matrix.verbs().forEach(verb -> cell.append(allowed.contains(verb) ? letter(verb) : '-'));
        return cell.toString();
    }

    private static boolean hasStandardVerbs(MatrixBuilder.MatrixTable matrix) {
        return KnownVerbs.OF_RESOURCES.containsAll(matrix.verbs());
    }

    private static char letter(String verb) {
        return LETTERS.charAt(KnownVerbs.OF_RESOURCES.indexOf(verb));
    }

    /** Returns the meaning of the letters; empty if there are none. */
    static String legend(MatrixBuilder.MatrixTable matrix) {
        return hasStandardVerbs(matrix)
                ? String.join(
                        ", ",
                        matrix.verbs().stream()
                                .map(verb -> letter(verb) + " " + verb)
                                .toList())
                : "";
    }
}
