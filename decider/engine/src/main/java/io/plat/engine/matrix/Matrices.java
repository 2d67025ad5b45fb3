package io.plat.engine.matrix;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.Explainer;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.MatrixReview;
import io.plat.review.UserInfo;
import io.plat.review.explain.AccessMatrix;
import io.plat.review.explain.AccessMatrix.Row;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.SubjectName;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
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
     * Returns the matrix of all subjects with any of the requested accesses, by the current policy. May take up to the time limit.
     *
     * @throws StatusException if a decision could not be made, or takes too long
     */
    public AccessMatrix of(MatrixReview asked, Authorizer authorizer) throws StatusException {
        long end = nanoTime.getAsLong() + bound.toNanos();
        Explainer explainer = Explainer.of("the policy", authorizer);
        AccessAttributes[] questions = questions(asked);
        SortedSet<SubjectName> named = new TreeSet<>(explainer.holders(List.of(questions)));
        if (!named.isEmpty()) {
            // Access of everybody is not repeated for named subjects.
            named.add(SubjectName.EVERYBODY);
            BoundedList<Row> decided = rows(asked, named, subject -> decided(subject, questions, authorizer), end);
            if (decided != null) {
                return new AccessMatrix(decided, List.of());
            }
        }
        SubjectAccess held = new SubjectAccess();
        for (int i = 0; i < questions.length; i++) {
            check(end);
            held.add(i, explainer.subjects(questions[i]));
        }
        BoundedList<Row> listed = rows(asked, held.subjects(), held::of, end);
        return new AccessMatrix(Objects.requireNonNull(listed), held.unexplained());
    }

    /** The requests of a row, each at its bit: {@code column * verbs + verb}. */
    private static AccessAttributes[] questions(MatrixReview asked) {
        int verbs = asked.verbs().size();
        AccessAttributes[] questions = new AccessAttributes[asked.columns().size() * verbs];
        for (int i = 0; i < questions.length; i++) {
            questions[i] = asked.asking(i / verbs, i % verbs);
        }
        return questions;
    }

    private void check(long end) throws StatusException {
        if (nanoTime.getAsLong() - end > 0) {
            throw new StatusException(
                    StatusReason.TIMEOUT,
                    "the matrix takes more than " + bound.toSeconds() + " s: request fewer resources or subjects");
        }
    }

    /** Gives the row of a subject; null where it is unknown without waiting. */
    @FunctionalInterface
    private interface Cells {
        @Nullable
        BitSet row(SubjectName subject) throws StatusException;
    }

    private static @Nullable BitSet decided(SubjectName subject, AccessAttributes[] questions, Authorizer authorizer)
            throws StatusException {
        UserInfo user = SubjectUsers.of(subject);
        BitSet allowed = new BitSet(questions.length);
        for (int i = 0; i < questions.length; i++) {
            Decision decision = authorizer.decideFromMemory(new Attributes(user, questions[i]));
            if (decision == null) {
                return null;
            }
            if (decision instanceof Decision.Undecided undecided) {
                throw new StatusException(
                        StatusReason.INTERNAL_ERROR,
                        "the matrix could not be made, as a decision was not: " + undecided.reason());
            }
            allowed.set(i, decision instanceof Decision.Allow);
        }
        return allowed;
    }

    /** The rows; null where one is unknown without waiting. */
    private @Nullable BoundedList<Row> rows(MatrixReview asked, Collection<SubjectName> subjects, Cells cells, long end)
            throws StatusException {
        List<Row> rows = new ArrayList<>();
        long leftOut = 0;
        for (SubjectName subject : matching(asked.match(), subjects)) {
            if (rows.size() == asked.limit()) {
                leftOut++;
                continue;
            }
            check(end);
            BitSet allowed = cells.row(subject);
            if (allowed == null) {
                return null;
            }
            if (!allowed.isEmpty()) {
                rows.add(new Row(subject, allowed));
            }
        }
        return new BoundedList<>(rows, leftOut);
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
