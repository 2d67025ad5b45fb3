package io.plat.cli.matrix;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Subjects against resources.
 *
 * @param subjects the rows by their labels
 * @param resources the columns
 * @param verbs the verbs that were asked about, in their order
 * @param allowed by row and column the verbs that are allowed, in the same order
 */
record AccessMatrix(
        List<String> subjects, List<String> resources, List<String> verbs, List<List<List<String>>> allowed) {
    AccessMatrix {
        subjects = List.copyOf(subjects);
        resources = List.copyOf(resources);
        verbs = List.copyOf(verbs);
        allowed = List.copyOf(allowed);
    }

    /** The columns in which anything is allowed to anybody, by their positions. */
    List<Integer> usedColumns() {
        return IntStream.range(0, resources.size())
                .filter(column ->
                        allowed.stream().anyMatch(row -> !row.get(column).isEmpty()))
                .boxed()
                .toList();
    }
}
