package io.plat.cli.matrix;

import io.plat.cli.process.ResourceText;
import io.plat.review.source.Quoted;
import java.util.List;

/** A matrix as a page: one file, nothing from elsewhere, readable in light and dark; its only script filters the rows. */
final class MatrixPage {
    private MatrixPage() {}

    /**
     * Returns the page.
     *
     * @param about the source and the time of the access
     */
    static String of(MatrixTable matrix, String about) {
        StringBuilder rows = new StringBuilder("<thead><tr><th scope=\"col\">Subject</th>");
        matrix.resources()
                .forEach(resource -> rows.append("<th scope=\"col\"><span>")
                        .append(escaped(resource))
                        .append("</span></th>"));
        rows.append("</tr></thead>\n<tbody>\n");
        for (int row = 0; row < matrix.subjects().size(); row++) {
            rows.append("<tr><th scope=\"row\">")
                    .append(escaped(matrix.subjects().get(row)))
                    .append("</th>");
            matrix.allowed().get(row).forEach(cell -> rows.append(cell(matrix, cell)));
            rows.append("</tr>\n");
        }
        // The legend and the rows last, as names in them may look like a place to fill.
        String[] parts = ResourceText.read("matrix-head.html").split("@(?:ABOUT|LEGEND|ROWS)@", -1);
        return (parts[0] + escaped(about) + parts[1] + escaped(MatrixText.legend(matrix)) + parts[2] + rows + "</tbody>"
                        + parts[3])
                .stripTrailing();
    }

    private static String cell(MatrixTable matrix, List<String> allowed) {
        if (allowed.isEmpty()) {
            return "<td></td>";
        }
        return (allowed.size() == matrix.verbs().size() ? "<td class=\"all\">" : "<td class=\"some\">")
                + "<abbr title=\"" + escaped(String.join(" ", allowed)) + "\">"
                + escaped(MatrixText.letters(matrix, allowed)) + "</abbr></td>";
    }

    private static String escaped(String text) {
        return Quoted.oneLine(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
