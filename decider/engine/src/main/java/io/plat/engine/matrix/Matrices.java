package io.plat.engine.matrix;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.PolicyNames;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.MatrixReview;
import io.plat.review.UserInfo;
import io.plat.review.explain.AccessMatrix;
import io.plat.review.explain.AccessMatrix.Row;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.UnexplainedAuthorizer;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Computation of access matrices. Thread-safe. */
public final class Matrices {
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final Duration bound;
    private final LongSupplier nanoTime;

    /** Creates a computation with a time limit of 10 s. */
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
    public AccessMatrix of(MatrixReview review, Authorizer authorizer) throws StatusException {
        long end = nanoTime.getAsLong() + bound.toNanos();
        Explainer explainer = Explainer.of("the policy", authorizer);
        AccessMatrix everywhere = in("", review, explainer, authorizer, end);
        if (!review.anyNamespace()) {
            return everywhere;
        }
        Set<UnexplainedAuthorizer> unexplained = new LinkedHashSet<>(everywhere.unexplained());
        Map<SubjectName, Row> rows = new TreeMap<>();
        everywhere.rows().items().forEach(row -> rows.put(row.subject(), row));
        PolicyNames names = explainer.names();
        if (!names.complete()) {
            unexplained.add(new UnexplainedAuthorizer(
                    "matrix", "access in individual namespaces that another server grants: name a namespace"));
        }
        List<String> namespaces = List.copyOf(names.namespaces());
        for (int i = 0; i < namespaces.size(); i++) {
            if (nanoTime.getAsLong() - end > -bound.toNanos() / 2) {
                unexplained.add(new UnexplainedAuthorizer(
                        "matrix",
                        "access in " + (namespaces.size() - i) + " of " + namespaces.size()
                                + " namespaces, which takes too long: request one of them"));
                break;
            }
            String namespace = namespaces.get(i);
            AccessMatrix there = in(namespace, review, explainer, authorizer, end);
            there.rows()
                    .items()
                    .forEach(row -> merge(row, namespace, review.verbs().size(), rows));
            unexplained.addAll(there.unexplained());
        }
        List<Row> shown = rows.values().stream().limit(review.limit()).toList();
        return new AccessMatrix(
                new BoundedList<>(shown, everywhere.rows().leftOut() + rows.size() - shown.size()),
                List.copyOf(unexplained));
    }

    /** Adds the access in one namespace to that of a subject. */
    private static void merge(Row there, String namespace, int verbs, Map<SubjectName, Row> rows) {
        Row known = rows.computeIfAbsent(there.subject(), subject -> new Row(subject, new BitSet()));
        BitSet all = (BitSet) known.allowed().clone();
        all.or(there.allowed());
        BitSet more = (BitSet) all.clone();
        more.andNot(known.allowed());
        if (!more.isEmpty()) {
            SortedMap<Integer, String> first = new TreeMap<>(known.namespaces());
            more.stream().forEach(bit -> first.putIfAbsent(bit / verbs, namespace));
            rows.put(there.subject(), new Row(there.subject(), all, first));
        }
    }

    private AccessMatrix in(String namespace, MatrixReview review, Explainer explainer, Authorizer authorizer, long end)
            throws StatusException {
        AccessAttributes[] accesses = accesses(review, namespace);
        SortedSet<SubjectName> named = new TreeSet<>(explainer.holders(List.of(accesses)));
        if (!named.isEmpty()) {
            // Access that everybody has is not repeated for named subjects.
            named.add(SubjectName.EVERYBODY);
            BoundedList<Row> decided = rows(review, named, subject -> decided(subject, accesses, authorizer), end);
            if (decided != null) {
                return new AccessMatrix(decided, List.of());
            }
        }
        SubjectAccess held = new SubjectAccess();
        for (int i = 0; i < accesses.length; i++) {
            check(end);
            held.add(i, explainer.subjects(accesses[i]));
        }
        BoundedList<Row> listed = rows(review, held.subjects(), held::of, end);
        return new AccessMatrix(Objects.requireNonNull(listed), held.unexplained());
    }

    /** Returns the requests of a row, indexed by {@code column * verbs + verb}. */
    private static AccessAttributes[] accesses(MatrixReview review, String namespace) {
        int verbs = review.verbs().size();
        AccessAttributes[] accesses = new AccessAttributes[review.columns().size() * verbs];
        for (int i = 0; i < accesses.length; i++) {
            accesses[i] = review.access(i / verbs, i % verbs, namespace);
        }
        return accesses;
    }

    private void check(long end) throws StatusException {
        if (nanoTime.getAsLong() - end > 0) {
            throw new StatusException(
                    StatusReason.TIMEOUT,
                    "the matrix takes more than " + bound.toSeconds() + " s: request fewer resources or subjects");
        }
    }

    /** Computes the row of a subject; null if that would block. */
    @FunctionalInterface
    private interface Cells {
        @Nullable
        BitSet row(SubjectName subject) throws StatusException;
    }

    private static @Nullable BitSet decided(SubjectName subject, AccessAttributes[] accesses, Authorizer authorizer)
            throws StatusException {
        UserInfo user = SubjectUsers.of(subject);
        BitSet allowed = new BitSet(accesses.length);
        for (int i = 0; i < accesses.length; i++) {
            Decision decision = authorizer.decideFromMemory(new Attributes(user, accesses[i]));
            if (decision == null) {
                return null;
            }
            if (decision instanceof Decision.Undecided undecided) {
                throw new StatusException(
                        StatusReason.INTERNAL_ERROR,
                        "the matrix could not be computed, as a decision failed: " + undecided.reason());
            }
            allowed.set(i, decision instanceof Decision.Allow);
        }
        return allowed;
    }

    /** Returns the rows; null if computing one would block. */
    private @Nullable BoundedList<Row> rows(
            MatrixReview review, Collection<SubjectName> subjects, Cells cells, long end) throws StatusException {
        List<Row> rows = new ArrayList<>();
        long leftOut = 0;
        for (SubjectName subject : matching(review.match(), subjects)) {
            if (rows.size() == review.limit()) {
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
