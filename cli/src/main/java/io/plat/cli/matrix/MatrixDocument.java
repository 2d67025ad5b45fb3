package io.plat.cli.matrix;

import io.plat.cli.output.JsonAnswer;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.List;

/** A matrix for programs: as JSON the cells in which something is allowed, as CSV the whole of it. */
final class MatrixDocument {
    /** Characters with which a spreadsheet formula begins, including full-width ones. */
    private static final String FORMULA = "=+-@＝＋－＠";

    private MatrixDocument() {}

    static byte[] json(MatrixTable matrix) {
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
    static String csv(MatrixTable matrix) {
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
        String line = Quoted.oneLine(value);
        String safe = !line.isEmpty() && FORMULA.indexOf(line.charAt(0)) >= 0 ? "'" + line : line;
        boolean plain = safe.chars().noneMatch(character -> ",;\"".indexOf(character) >= 0);
        return plain ? safe : "\"" + safe.replace("\"", "\"\"") + "\"";
    }
}
