package io.plat.engine.matrix;

import io.plat.engine.explain.Explainer;
import io.plat.review.MatrixReview;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Unexplained;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/** Cells from listings of who may do something: one for each column and verb. */
final class ListedCells implements Cells {
    private final Holdings held = new Holdings();

    /**
     * Asks for all listings.
     *
     * @throws NoMatrixException if that takes too long
     */
    ListedCells(MatrixReview asked, Explainer explainer, Deadline deadline) throws NoMatrixException {
        int verbs = asked.verbs().size();
        for (int i = 0; i < asked.columns().size() * verbs; i++) {
            deadline.check();
            held.add(i, explainer.subjects(asked.asking(i / verbs, i % verbs)));
        }
    }

    List<Unexplained> unexplained() {
        return held.unexplained();
    }

    @Override
    public Collection<SubjectName> subjects() {
        return held.subjects();
    }

    @Override
    public BitSet row(SubjectName subject) {
        return held.of(subject);
    }
}
