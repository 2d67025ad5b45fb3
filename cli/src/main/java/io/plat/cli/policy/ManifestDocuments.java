package io.plat.cli.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * Splitting of a file's text at the beginnings of documents, so that a large one need not be in memory as one tree. A line that begins with
 * three hyphens always ends a document (YAML 1.2, section 9.1.2).
 */
final class ManifestDocuments {
    private static final String MARKER = "---";

    private ManifestDocuments() {}

    /** Returns the documents, each with its start marker; a single one if the text is JSON or has directives. */
    static List<String> of(String text) {
        if (text.startsWith("{") || text.startsWith("[") || text.startsWith("%") || text.contains("\n%")) {
            return List.of(text);
        }
        List<String> documents = new ArrayList<>();
        int start = 0;
        for (int at = text.indexOf("\n" + MARKER); at >= 0; at = text.indexOf("\n" + MARKER, at + 1)) {
            int behind = at + 1 + MARKER.length();
            if (behind == text.length() || Character.isWhitespace(text.charAt(behind))) {
                documents.add(text.substring(start, at + 1));
                start = at + 1;
            }
        }
        documents.add(text.substring(start));
        return documents;
    }

    /**
     * Splits a large text into texts of some documents each. Each part is preceded by empty lines for the text before it, so that line
     * numbers are preserved.
     *
     * @param size the number of characters of a part
     */
    static List<String> parts(String text, int size) {
        if (text.length() <= size) {
            return List.of(text);
        }
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        int lines = 0;
        int before = 0;
        for (String document : of(text)) {
            if (part.length() > before + size) {
                parts.add(part.toString());
                part.setLength(0);
                part.repeat('\n', lines);
                before = lines;
            }
            part.append(document);
            lines += lines(document);
        }
        parts.add(part.toString());
        return parts;
    }

    /** Returns the number of line ends in a text. */
    static int lines(String text) {
        int lines = 0;
        for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
            lines++;
        }
        return lines;
    }
}
