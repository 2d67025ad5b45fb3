package io.plat.review.explain;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * The answer to an AccessMatrix.
 *
 * @param rows those who may do any of it, in the order of their names, and how many more there are
 * @param unexplained members of what decides that could not say whom they allow: more may be allowed
 */
public record AccessMatrix(Bounded<Row> rows, List<Unexplained> unexplained) {
    public AccessMatrix {
        Objects.requireNonNull(rows);
        unexplained = List.copyOf(unexplained);
    }

    /**
     * What one subject may do.
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
