package io.plat.review;

import java.util.List;

/**
 * A decoded AccessMatrix: subjects that may do some verbs on some resources.
 *
 * @param columns the requested resources; their own verbs are ignored
 * @param verbs the requested verbs of each
 * @param anyNamespace whether access in a single namespace counts in addition to access in all; the columns then have no namespace
 * @param match only subjects whose names contain this, {@code ""} for all
 * @param limit maximum number of subjects, at least 1
 */
public record MatrixReview(
        ReviewVersion version,
        List<AccessAttributes> columns,
        List<String> verbs,
        boolean anyNamespace,
        String match,
        int limit) {
    public static final String KIND = "AccessMatrix";

    public static final String RESOURCE = "accessmatrices";

    /** Maximum number of columns. */
    public static final int MAX_COLUMNS = 500;

    /** Maximum number of verbs: the number of bits of a cell. */
    public static final int MAX_VERBS = 16;

    /** Maximum value of the limit. */
    public static final int MAX_SUBJECTS = 2_000;

    /** Default of the limit. */
    public static final int DEFAULT_SUBJECTS = 500;

    public MatrixReview {
        columns = List.copyOf(columns);
        verbs = List.copyOf(verbs);
        require(columns.size(), MAX_COLUMNS, "resources");
        require(verbs.size(), MAX_VERBS, "verbs");
        require(limit, MAX_SUBJECTS, "subjects");
    }

    private static void require(int number, int max, String what) {
        if (number < 1 || number > max) {
            throw new IllegalArgumentException("from 1 to " + max + " " + what + " can be requested, not " + number);
        }
    }

    /**
     * Returns the access for one verb of a column.
     *
     * @param namespace replaces the namespace of the column if it has none
     */
    public AccessAttributes access(int column, int verb, String namespace) {
        AccessAttributes access = columns.get(column).withVerb(verbs.get(verb));
        return access instanceof ResourceAttributes resource
                        && resource.namespace().isEmpty()
                ? resource.in(namespace)
                : access;
    }
}
