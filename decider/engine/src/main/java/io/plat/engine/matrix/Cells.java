package io.plat.engine.matrix;

import io.plat.review.explain.SubjectName;
import java.util.BitSet;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Where the cells of a matrix come from. */
interface Cells {
    /** Those who may have a row. */
    Collection<SubjectName> subjects();

    /**
     * What a subject may do: the bit {@code column * verbs + verb}. Null where that can't be told without waiting.
     *
     * @throws NoMatrixException if that could not be decided
     */
    @Nullable
    BitSet row(SubjectName subject) throws NoMatrixException;
}
