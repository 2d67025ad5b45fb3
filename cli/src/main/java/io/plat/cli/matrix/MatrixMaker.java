package io.plat.cli.matrix;

import io.plat.cli.CommandException;
import io.plat.cli.ask.Explanations;
import io.plat.cli.output.Progress;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.Explainer;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Unexplained;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;

/** Asks for the cells of a matrix. Used once. */
final class MatrixMaker {
    private final List<Column> columns;
    private final List<String> verbs;
    private final List<MatrixSubject> named;
    private final int limit;
    private final Set<Unexplained> unseen = new LinkedHashSet<>();
    private final List<String> labels = new ArrayList<>();
    private final List<List<List<String>>> rows = new ArrayList<>();
    private long leftOut;

    /**
     * A matrix to be made.
     *
     * @param named the rows; empty for everybody who may do any of it
     * @param limit how many rows there may be, 0 for any number
     */
    MatrixMaker(List<Column> columns, List<String> verbs, List<MatrixSubject> named, int limit) {
        this.columns = List.copyOf(columns);
        this.verbs = List.copyOf(verbs);
        this.named = List.copyOf(named);
        this.limit = limit == 0 ? Integer.MAX_VALUE : limit;
    }

    /** Whether a subject may do one thing. */
    @FunctionalInterface
    private interface Cells {
        boolean allowed(MatrixSubject subject, int column, int verb);
    }

    /** Makes it. */
    AccessMatrix make(Explanations explanations, LongFunction<Progress> progress) {
        if (explanations.engine().isEmpty()) {
            // A server that does not know the question is known as such after the first.
            SubjectListing first = explanations.subjects(asked(0, 0)).said();
            unseen.addAll(first.unexplained());
        }
        explanations.engine().ifPresentOrElse(this::byDecisions, () -> byListings(explanations, progress));
        return new AccessMatrix(labels, columns.stream().map(Column::label).toList(), verbs, rows);
    }

    private AccessReview asked(int column, int verb) {
        AccessAttributes access = columns.get(column).asking(verbs.get(verb));
        return new AccessReview(ReviewKind.SUBJECT_LISTING, ReviewVersion.K8S_V1, null, access);
    }

    private void byDecisions(Authorizer authorizer) {
        List<List<AccessAttributes>> questions = columns.stream()
                .map(column -> verbs.stream().map(column::asking).toList())
                .toList();
        Collection<SubjectName> everybody =
                Explainer.of("the policy", authorizer).names().subjects();
        addRows(subjects(everybody), (subject, column, verb) -> {
            Decision decision = authorizer.authorize(
                    new Attributes(subject.asked(), questions.get(column).get(verb)));
            if (decision instanceof Decision.Undecided undecided) {
                throw CommandException.couldNotTell(undecided.reason());
            }
            return decision instanceof Decision.Allow;
        });
    }

    private void byListings(Explanations explanations, LongFunction<Progress> progress) {
        List<List<SubjectListing>> listings = new ArrayList<>();
        NavigableSet<SubjectName> everybody = new TreeSet<>();
        try (Progress shown = progress.apply((long) columns.size() * verbs.size())) {
            for (int column = 0; column < columns.size(); column++) {
                List<SubjectListing> ofColumn = new ArrayList<>();
                for (int verb = 0; verb < verbs.size(); verb++) {
                    SubjectListing listing =
                            explanations.subjects(asked(column, verb)).said();
                    unseen.addAll(listing.unexplained());
                    listing.subjects().items().stream().map(ListedSubject::who).forEach(everybody::add);
                    ofColumn.add(listing);
                    shown.step();
                }
                listings.add(ofColumn);
            }
        }
        addRows(
                subjects(everybody),
                (subject, column, verb) -> subject.isIn(listings.get(column).get(verb)));
    }

    private List<MatrixSubject> subjects(Collection<SubjectName> everybody) {
        if (!named.isEmpty()) {
            return named;
        }
        return everybody.stream().map(MatrixSubject::of).toList();
    }

    private void addRows(List<MatrixSubject> subjects, Cells cells) {
        for (int i = 0; i < subjects.size(); i++) {
            if (labels.size() == limit) {
                leftOut = (long) subjects.size() - i;
                return;
            }
            MatrixSubject subject = subjects.get(i);
            List<List<String>> row = row(subject, cells);
            if (!named.isEmpty() || row.stream().anyMatch(cell -> !cell.isEmpty())) {
                labels.add(subject.label());
                rows.add(row);
            }
        }
    }

    private List<List<String>> row(MatrixSubject subject, Cells cells) {
        List<List<String>> row = new ArrayList<>(columns.size());
        for (int column = 0; column < columns.size(); column++) {
            List<String> allowed = new ArrayList<>(0);
            for (int verb = 0; verb < verbs.size(); verb++) {
                if (cells.allowed(subject, column, verb)) {
                    allowed.add(verbs.get(verb));
                }
            }
            row.add(List.copyOf(allowed));
        }
        return row;
    }

    /** What could not be looked through. */
    List<Unexplained> unseen() {
        return List.copyOf(unseen);
    }

    /** How many further subjects were not asked about. */
    long leftOut() {
        return leftOut;
    }
}
