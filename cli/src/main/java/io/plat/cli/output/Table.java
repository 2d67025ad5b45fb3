package io.plat.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Rows of text under a header, in columns that are as wide as they have to be. */
public final class Table {
    private static final String GAP = "   ";

    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... header) {
        rows.add(List.of(header));
    }

    /** Adds a row of as many cells as the header has. */
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
