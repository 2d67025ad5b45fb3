package io.plat.review.explain;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;

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
     */
    public record Row(SubjectName who, BitSet allowed) {
        public Row {
            Objects.requireNonNull(who);
            Objects.requireNonNull(allowed);
        }
    }
}
