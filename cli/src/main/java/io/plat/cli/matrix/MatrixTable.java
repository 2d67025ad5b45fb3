package io.plat.cli.matrix;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Subjects against resources.
 *
 * @param subjects the rows by their labels
 * @param resources the columns
 * @param verbs the requested verbs, in order
 * @param allowed the allowed verbs by row and column, in the same order
 */
record MatrixTable(
        List<String> subjects, List<String> resources, List<String> verbs, List<List<List<String>>> allowed) {
    MatrixTable {
        subjects = List.copyOf(subjects);
        resources = List.copyOf(resources);
        verbs = List.copyOf(verbs);
        allowed = List.copyOf(allowed);
    }

    /** Returns the positions of the columns with any access. */
    List<Integer> usedColumns() {
        return IntStream.range(0, resources.size())
                .filter(column ->
                        allowed.stream().anyMatch(row -> !row.get(column).isEmpty()))
                .boxed()
                .toList();
    }
}
