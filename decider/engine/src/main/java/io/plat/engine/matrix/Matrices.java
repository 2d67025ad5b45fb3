package io.plat.engine.matrix;

import io.plat.engine.Authorizer;
import io.plat.engine.explain.Explainer;
import io.plat.review.AccessAttributes;
import io.plat.review.MatrixReview;
import io.plat.review.explain.AccessMatrix;
import io.plat.review.explain.AccessMatrix.Row;
import io.plat.review.explain.Bounded;
import io.plat.review.explain.SubjectName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Answers AccessMatrices. Safe for any number of threads. */
public final class Matrices {
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final Duration bound;
    private final LongSupplier nanoTime;

    /** Matrices that may take 10 s each. */
    public Matrices() {
        this(BOUND, System::nanoTime);
    }

    Matrices(Duration bound, LongSupplier nanoTime) {
        this.bound = bound;
        this.nanoTime = nanoTime;
    }

    /**
     * The matrix of everybody who may do any of what is asked, by the authorizer as it decides now. May take as long as it is bounded to.
     *
     * @throws NoMatrixException if a decision was not made, or it takes too long
     */
    public AccessMatrix of(MatrixReview asked, Authorizer authorizer) throws NoMatrixException {
        Deadline deadline = new Deadline(bound, nanoTime);
        Explainer explainer = Explainer.of("the policy", authorizer);
        AccessAttributes[] questions = DecidedCells.questions(asked);
        SortedSet<SubjectName> named = new TreeSet<>(explainer.holders(List.of(questions)));
        if (!named.isEmpty()) {
            // What is granted to everybody is granted to nobody by name.
            named.add(SubjectName.EVERYBODY);
            Bounded<Row> decided = rows(asked, new DecidedCells(questions, authorizer, named), deadline);
            if (decided != null) {
                return new AccessMatrix(decided, List.of());
            }
        }
        ListedCells listed = new ListedCells(asked, explainer, deadline);
        return new AccessMatrix(Objects.requireNonNull(rows(asked, listed, deadline)), listed.unexplained());
    }

    /** The rows; null where a cell can't be told without waiting. */
    private static @Nullable Bounded<Row> rows(MatrixReview asked, Cells cells, Deadline deadline)
            throws NoMatrixException {
        List<Row> rows = new ArrayList<>();
        long leftOut = 0;
        for (SubjectName subject : matching(asked.match(), cells.subjects())) {
            if (rows.size() == asked.limit()) {
                leftOut++;
                continue;
            }
            deadline.check();
            BitSet allowed = cells.row(subject);
            if (allowed == null) {
                return null;
            }
            if (!allowed.isEmpty()) {
                rows.add(new Row(subject, allowed));
            }
        }
        return new Bounded<>(rows, leftOut);
    }

    private static Collection<SubjectName> matching(String match, Collection<SubjectName> subjects) {
        if (match.isEmpty()) {
            return subjects;
        }
        String wanted = match.toLowerCase(Locale.ROOT);
        return subjects.stream()
                .filter(subject -> text(subject).contains(wanted))
                .toList();
    }

    private static String text(SubjectName subject) {
        return (subject.namespace() + ":" + subject.name() + ":" + subject.inGroup()).toLowerCase(Locale.ROOT);
    }
}
