package io.plat.cli.matrix;

import io.plat.cli.ask.DecisionSource;
import io.plat.cli.ask.Explanations;
import io.plat.cli.output.Progress;
import io.plat.cli.process.CommandException;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.matrix.SubjectAccess;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.ReviewKind;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Unexplained;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** Computation of the cells of a matrix. Used once. */
final class MatrixBuilder {
    private final List<Column> columns;
    private final List<String> verbs;
    private final List<MatrixSubject> named;
    private final int limit;
    private final Set<Unexplained> unseen = new LinkedHashSet<>();
    private final List<String> labels = new ArrayList<>();
    private final List<List<List<String>>> rows = new ArrayList<>();
    private long leftOut;

    /**
     * Creates the computation of a matrix.
     *
     * @param named the rows; empty for all subjects with any of the access
     * @param limit maximum number of rows, 0 for no limit
     */
    MatrixBuilder(List<Column> columns, List<String> verbs, List<MatrixSubject> named, int limit) {
        this.columns = List.copyOf(columns);
        this.verbs = List.copyOf(verbs);
        this.named = List.copyOf(named);
        this.limit = limit == 0 ? Integer.MAX_VALUE : limit;
    }

    MatrixTable make(Explanations source, LongFunction<Progress> progress) {
        if (source.engine().isEmpty()) {
            // A server that does not know the question is known as such after the first.
            unseen.addAll(subjects(source, 0).unexplained());
        }
        source.engine().ifPresentOrElse(this::byDecisions, () -> byListings(source, progress));
        return new MatrixTable(labels, columns.stream().map(Column::label).toList(), verbs, rows);
    }

    private int cells() {
        return columns.size() * verbs.size();
    }

    /** Returns the request of a cell: those of a column are adjacent. */
    private AccessAttributes asked(int cell) {
        return columns.get(cell / verbs.size()).asking(verbs.get(cell % verbs.size()));
    }

    private void byDecisions(Authorizer authorizer) {
        List<AccessAttributes> questions =
                IntStream.range(0, cells()).mapToObj(this::asked).toList();
        Collection<SubjectName> everybody =
                named.isEmpty() ? Explainer.of("the policy", authorizer).holders(questions) : List.of();
        addRows(everybody, subject -> decided(subject, questions, authorizer));
    }

    private static BitSet decided(MatrixSubject subject, List<AccessAttributes> questions, Authorizer authorizer) {
        BitSet allowed = new BitSet(questions.size());
        for (int cell = 0; cell < questions.size(); cell++) {
            Decision decision = authorizer.authorize(new Attributes(subject.asked(), questions.get(cell)));
            if (decision instanceof Decision.Undecided undecided) {
                throw CommandException.undetermined(undecided.reason());
            }
            allowed.set(cell, decision instanceof Decision.Allow);
        }
        return allowed;
    }

    private void byListings(Explanations source, LongFunction<Progress> progress) {
        SubjectAccess holdings = new SubjectAccess();
        try (Progress shown = progress.apply(cells())) {
            for (int cell = 0; cell < cells(); cell++) {
                holdings.add(cell, subjects(source, cell));
                shown.step();
            }
        }
        unseen.addAll(holdings.unexplained());
        addRows(holdings.subjects(), subject -> holdings.of(subject.name(), subject.asked()));
    }

    private SubjectListing subjects(Explanations source, int cell) {
        return source
                .subjects(new AccessReview(ReviewKind.SUBJECT_LISTING, DecisionSource.ASKED, null, asked(cell)))
                .said();
    }

    private void addRows(Collection<SubjectName> everybody, Function<MatrixSubject, BitSet> cells) {
        List<MatrixSubject> subjects =
                named.isEmpty() ? everybody.stream().map(MatrixSubject::of).toList() : named;
        for (int i = 0; i < subjects.size(); i++) {
            if (labels.size() == limit) {
                leftOut = (long) subjects.size() - i;
                return;
            }
            MatrixSubject subject = subjects.get(i);
            BitSet allowed = cells.apply(subject);
            if (!named.isEmpty() || !allowed.isEmpty()) {
                labels.add(subject.label());
                rows.add(row(allowed));
            }
        }
    }

    private List<List<String>> row(BitSet allowed) {
        List<List<String>> row = new ArrayList<>(columns.size());
        for (int first = 0; first < cells(); first += verbs.size()) {
            List<String> ofColumn = new ArrayList<>(0);
            for (int verb = 0; verb < verbs.size(); verb++) {
                if (allowed.get(first + verb)) {
                    ofColumn.add(verbs.get(verb));
                }
            }
            row.add(List.copyOf(ofColumn));
        }
        return row;
    }

    List<Unexplained> unseen() {
        return List.copyOf(unseen);
    }

    /** Returns the number of further subjects that were left out. */
    long leftOut() {
        return leftOut;
    }
}
