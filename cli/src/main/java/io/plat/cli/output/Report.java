package io.plat.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plat.cli.process.CommandException;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Destinations of a command's output: answers to stdout, warnings to stderr. Every line ends with a line feed on every system. */
public record Report(PrintWriter out, PrintWriter err, boolean isColoured) {
    private static final int MAX_PROBLEMS = 100;

    public void print(String line) {
        out.print(line);
        out.print('\n');
        out.flush();
    }

    public void print(Table table) {
        table.lines().forEach(this::print);
    }

    public void warn(List<?> lines) {
        bounded(lines).forEach(this::warn);
    }

    /** Returns the first problems, and the number of the others: a hostile file has any number of them. */
    public static List<String> bounded(List<?> problems) {
        List<String> shown = new ArrayList<>();
        problems.stream().limit(MAX_PROBLEMS).map(String::valueOf).forEach(shown::add);
        if (problems.size() > MAX_PROBLEMS) {
            shown.add("and " + (problems.size() - MAX_PROBLEMS) + " more");
        }
        return shown;
    }

    /** Prints a JSON document of the result, in a machine-readable format. */
    public void printDocument(byte[] json, OutputFormat format) {
        try {
            out.print(JsonDocument.print(json, format));
            out.flush();
        } catch (JsonProcessingException e) {
            throw CommandException.undetermined("the answer is not a JSON document: " + JsonText.message(e));
        } catch (IOException e) {
            throw CommandException.io("the answer is not a JSON document", e);
        }
    }

    /** Prints a warning on stderr; line breaks and control characters in it become spaces. */
    public void warn(String line) {
        err.print(paint(Colour.YELLOW, "warning:") + " " + Quoted.oneLine(line) + "\n");
        err.flush();
    }

    /** Prints a hint on stderr that is not a problem. */
    public void note(String line) {
        err.print("note: " + Quoted.oneLine(line) + "\n");
        err.flush();
    }

    /** Returns text in a colour, if colours are enabled. */
    public String paint(Colour which, String text) {
        return which.paint(text, isColoured);
    }

    /** Returns values in brackets, as kubectl prints lists. */
    public static String list(List<String> values) {
        return values.stream().map(Quoted::name).collect(Collectors.joining(" ", "[", "]"));
    }

    /** Table of text with a header and columns of minimal width. */
    public static final class Table {
        private static final String GAP = "   ";

        private final List<List<String>> rows = new ArrayList<>();

        public Table(String... header) {
            rows.add(List.of(header));
        }

        /** Adds a row with a cell per column. */
        public void row(String... cells) {
            if (cells.length != rows.getFirst().size()) {
                throw new IllegalArgumentException("a row of " + cells.length + " cells");
            }
            rows.add(List.of(cells));
        }

        public List<String> lines() {
            int[] widths = new int[rows.getFirst().size()];
            for (List<String> row : rows) {
                for (int column = 0; column < widths.length; column++) {
                    widths[column] = Math.max(widths[column], row.get(column).length());
                }
            }
            return rows.stream().map(row -> line(row, widths)).toList();
        }

        private static String line(List<String> row, int[] widths) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String cell = row.get(column);
                line.append(column == 0 ? "" : GAP).append(cell).append(" ".repeat(widths[column] - cell.length()));
            }
            return line.toString().stripTrailing();
        }
    }
}
