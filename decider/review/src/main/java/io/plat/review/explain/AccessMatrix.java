package io.plat.review.explain;

import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * Response to an AccessMatrix.
 *
 * @param rows subjects with any of the access, sorted by name, and the number of further ones
 * @param unexplained members that could not enumerate their subjects: more may be allowed
 */
public record AccessMatrix(BoundedList<Row> rows, List<Unexplained> unexplained) {
    public AccessMatrix {
        Objects.requireNonNull(rows);
        unexplained = List.copyOf(unexplained);
    }

    /**
     * Access of one subject.
     *
     * @param who the subject
     * @param allowed the verb {@code v} of column {@code c} is allowed where bit {@code c * verbs + v} is set; not to be changed
     * @param namespaces by column, the first namespace with access that does not hold in all; empty unless any namespace was requested
     */
    public record Row(SubjectName who, BitSet allowed, SortedMap<Integer, String> namespaces) {
        public Row {
            Objects.requireNonNull(who);
            Objects.requireNonNull(allowed);
            Objects.requireNonNull(namespaces);
        }

        /** Creates the row of a matrix of one namespace, or of all at once. */
        public Row(SubjectName who, BitSet allowed) {
            this(who, allowed, Collections.emptySortedMap());
        }
    }
}
