package io.plat.cli.matrix;

import io.plat.review.source.Quoted;
import java.util.List;

/** A matrix as a page: one file, no script, nothing from elsewhere, readable in light and dark. */
final class MatrixPage {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width">
            <title>Who may do what</title>
            <style>
            :root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
            table { border-collapse: separate; border-spacing: 0; }
            th, td { padding: 2px 8px; border-bottom: 1px solid #8884; text-align: left; white-space: nowrap; vertical-align: top; }
            thead th { position: sticky; top: 0; background: Canvas; }
            tbody th, thead th:first-child { position: sticky; left: 0; background: Canvas; }
            thead th:first-child { z-index: 1; }
            td.all { background: #2a84; }
            td.some { background: #dc04; }
            </style>
            </head>
            <body>
            <table>
            <caption>Verbs that each subject is allowed on each resource</caption>
            """;

    private MatrixPage() {}

    static String of(AccessMatrix matrix) {
        StringBuilder page = new StringBuilder(HEAD).append("<thead><tr><th scope=\"col\">Subject</th>");
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
