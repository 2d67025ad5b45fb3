package io.plat.review.explain;

import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * Response to an AccessMatrix.
 *
 * @param rows subjects with any of the access, sorted by name, and the number of omitted subjects
 * @param unexplained members that could not enumerate their subjects: more may be allowed
 */
public record AccessMatrix(BoundedList<Row> rows, List<UnexplainedAuthorizer> unexplained) {
    public AccessMatrix {
        unexplained = List.copyOf(unexplained);
    }

    /**
     * Access of one subject.
     *
     * @param allowed bit {@code c * verbs + v} is set if verb {@code v} of column {@code c} is allowed; not to be modified
     * @param namespaces by column, the first namespace with access that is not granted in all; empty unless any namespace was requested
     */
    public record Row(SubjectName subject, BitSet allowed, SortedMap<Integer, String> namespaces) {
        /** Creates a row for one namespace, or for all namespaces. */
        public Row(SubjectName subject, BitSet allowed) {
            this(subject, allowed, Collections.emptySortedMap());
        }
    }
}
