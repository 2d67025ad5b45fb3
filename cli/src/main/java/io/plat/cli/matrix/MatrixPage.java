package io.plat.cli.matrix;

import io.plat.cli.process.ResourceText;
import io.plat.review.source.Quoted;
import java.util.List;

/** A matrix as a page: one file, no script, nothing from elsewhere, readable in light and dark. */
final class MatrixPage {
    private MatrixPage() {}

    static String of(MatrixTable matrix) {
        StringBuilder page = new StringBuilder(ResourceText.read("matrix-head.html"))
                .append("<thead><tr><th scope=\"col\">Subject</th>");
        matrix.resources()
                .forEach(resource -> page.append("<th scope=\"col\">")
                        .append(escaped(resource))
                        .append("</th>"));
        page.append("</tr></thead>\n<tbody>\n");
        for (int row = 0; row < matrix.subjects().size(); row++) {
            page.append("<tr><th scope=\"row\">")
                    .append(escaped(matrix.subjects().get(row)))
                    .append("</th>");
            matrix.allowed()
                    .get(row)
                    .forEach(cell -> cell(page, cell, matrix.verbs().size()));
            page.append("</tr>\n");
        }
        return page.append("</tbody>\n</table>\n</body>\n</html>").toString();
    }

    private static void cell(StringBuilder page, List<String> allowed, int verbs) {
        if (allowed.isEmpty()) {
            page.append("<td></td>");
        } else {
            page.append(allowed.size() == verbs ? "<td class=\"all\">" : "<td class=\"some\">")
                    .append(escaped(String.join(" ", allowed)))
                    .append("</td>");
        }
    }

    private static String escaped(String text) {
        return Quoted.oneLine(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
