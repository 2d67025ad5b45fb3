package io.plat.cli.access;

import io.plat.cli.output.ProgressLine;
import io.plat.cli.process.CommandException;
import io.plat.cli.request.DecisionSource;
import io.plat.cli.request.ExplanationSource;
import io.plat.cli.request.Subjects;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.Explainer;
import io.plat.engine.matrix.SubjectAccess;
import io.plat.engine.matrix.SubjectUsers;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewKind;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** Computation of the cells of a matrix. For a single use. */
final class MatrixBuilder {
    private final List<AccessAttributes> columns;
    private final List<String> verbs;
    private final List<MatrixSubject> named;
    private final int limit;
    private final Set<UnexplainedAuthorizer> unexplained = new LinkedHashSet<>();
    private final List<String> labels = new ArrayList<>();
    private final List<List<List<String>>> rows = new ArrayList<>();
    private long leftOut;

    /**
     * Creates the computation of a matrix.
     *
     * @param columns the requested access, with any verb
     * @param named the rows; empty for all subjects with any of the access
     * @param limit maximum number of rows, 0 for no limit
     */
    MatrixBuilder(List<AccessAttributes> columns, List<String> verbs, List<MatrixSubject> named, int limit) {
        this.columns = List.copyOf(columns);
        this.verbs = List.copyOf(verbs);
        this.named = List.copyOf(named);
        this.limit = limit == 0 ? Integer.MAX_VALUE : limit;
    }

    MatrixTable build(ExplanationSource source, LongFunction<ProgressLine> progress) {
        if (source.engine().isEmpty()) {
            // The first request shows whether the server supports listings.
            unexplained.addAll(subjects(source, 0).unexplained());
        }
        source.engine().ifPresentOrElse(this::byDecisions, () -> byListings(source, progress));
        return new MatrixTable(
                labels, columns.stream().map(MatrixBuilder::label).toList(), verbs, rows);
    }

    private int cells() {
        return columns.size() * verbs.size();
    }

    /** Returns the request of a cell: those of a column are adjacent. */
    private AccessAttributes request(int cell) {
        return columns.get(cell / verbs.size()).withVerb(verbs.get(cell % verbs.size()));
    }

    private void byDecisions(Authorizer authorizer) {
        List<AccessAttributes> requests =
                IntStream.range(0, cells()).mapToObj(this::request).toList();
        Collection<SubjectName> holders =
                named.isEmpty() ? Explainer.of("the policy", authorizer).holders(requests) : List.of();
        addRows(holders, subject -> decided(subject, requests, authorizer));
    }

    private static BitSet decided(MatrixSubject subject, List<AccessAttributes> requests, Authorizer authorizer) {
        BitSet allowed = new BitSet(requests.size());
        for (int cell = 0; cell < requests.size(); cell++) {
            Decision decision = authorizer.authorize(new Attributes(subject.user(), requests.get(cell)));
            if (decision instanceof Decision.Undecided undecided) {
                throw CommandException.undetermined(undecided.reason());
            }
            allowed.set(cell, decision instanceof Decision.Allow);
        }
        return allowed;
    }

    private void byListings(ExplanationSource source, LongFunction<ProgressLine> progress) {
        SubjectAccess holdings = new SubjectAccess();
        try (ProgressLine shown = progress.apply(cells())) {
            for (int cell = 0; cell < cells(); cell++) {
                holdings.add(cell, subjects(source, cell));
                shown.step();
            }
        }
        unexplained.addAll(holdings.unexplained());
        addRows(holdings.subjects(), subject -> holdings.of(subject.name(), subject.user()));
    }

    private SubjectListing subjects(ExplanationSource source, int cell) {
        return source.subjects(new AccessReview(
                        ReviewKind.SUBJECT_LISTING, DecisionSource.REVIEW_VERSION, null, request(cell)))
                .value();
    }

    private void addRows(Collection<SubjectName> holders, Function<MatrixSubject, BitSet> cells) {
        List<MatrixSubject> subjects =
                named.isEmpty() ? holders.stream().map(MatrixSubject::of).toList() : named;
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

    List<UnexplainedAuthorizer> unexplained() {
        return List.copyOf(unexplained);
    }

    /** Returns the number of subjects that were left out. */
    long leftOut() {
        return leftOut;
    }

    /**
     * Subjects against resources.
     *
     * @param subjects the rows by their labels
     * @param resources the columns
     * @param verbs the requested verbs, in order
     * @param allowed the allowed verbs by row and column, in the same order
     */
    record MatrixTable(
            List<String> subjects, List<String> resources, List<String> verbs, List<List<List<String>>> allowed) {
        MatrixTable {
            subjects = List.copyOf(subjects);
            resources = List.copyOf(resources);
            verbs = List.copyOf(verbs);
            allowed = List.copyOf(allowed);
        }

        /** Returns the positions of the columns with any access. */
        List<Integer> usedColumns() {
            return IntStream.range(0, resources.size())
                    .filter(column ->
                            allowed.stream().anyMatch(row -> !row.get(column).isEmpty()))
                    .boxed()
                    .toList();
        }
    }

    /**
     * A row: a subject with its groups. A subject with a group is assumed to be authenticated.
     *
     * @param label typed and printed form: {@code alice}, {@code group:developers}, a service account's user name, {@code *}
     */
    record MatrixSubject(SubjectName name, String label, UserInfo user) {
        static MatrixSubject of(SubjectName name) {
            return new MatrixSubject(name, Subjects.label(name), SubjectUsers.of(name));
        }

        /**
         * Parses a label. That of a user includes its groups.
         *
         * @param groups additional groups of a user
         * @throws io.plat.cli.process.CommandException if it is invalid
         */
        static MatrixSubject parse(String typed, List<String> groups) {
            SubjectName subject = Subjects.parse("--subject", typed);
            if (subject.kind() == SubjectName.Kind.GROUP || subject.equals(SubjectName.EVERYBODY) || groups.isEmpty()) {
                return of(subject);
            }
            String label = Subjects.label(subject) + " (groups: " + String.join(", ", groups) + ")";
            return new MatrixSubject(subject, label, Subjects.user(Subjects.userName(subject), groups, false));
        }
    }

    /** Returns the label of a column: {@code deployments.apps}, {@code pods/log}, {@code /metrics}. */
    private static String label(AccessAttributes column) {
        return switch (column) {
            case NonResourceAttributes path -> path.path();
            case ResourceAttributes resource ->
                resource.resource()
                        + (resource.group().isEmpty() ? "" : "." + resource.group())
                        + (resource.subresource().isEmpty() ? "" : "/" + resource.subresource())
                        + (resource.name().isEmpty() ? "" : " " + resource.name());
        };
    }
}
