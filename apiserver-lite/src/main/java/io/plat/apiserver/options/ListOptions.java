package io.plat.apiserver.options;

import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.type.Refusals;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Objects;

/**
 * Which objects of a collection are meant, and in which state. Strings are as the query has them, {@code ""} where it has not.
 *
 * @param labelSelector only objects with these labels
 * @param fieldSelector only objects with these fields
 * @param resourceVersion the state to show, as {@code resourceVersionMatch} says
 * @param resourceVersionMatch {@code Exact}, {@code NotOlderThan} or {@code ""}
 * @param limit at most so many; 0 for all
 * @param continueToken where an earlier chunk ended
 * @param initialEvents whether {@code sendInitialEvents} was given, which only a watch may have
 */
public record ListOptions(
        String labelSelector,
        String fieldSelector,
        String resourceVersion,
        String resourceVersionMatch,
        int limit,
        String continueToken,
        boolean initialEvents) {
    /** The state of exactly the version given. */
    public static final String EXACT = "Exact";

    /** Any state that is at least as new as the version given. */
    public static final String NOT_OLDER_THAN = "NotOlderThan";

    private static final String MATCH = "resourceVersionMatch";

    /** Everything, as it is now. */
    public static final ListOptions DEFAULT = new ListOptions("", "", "", "", 0, "");

    public ListOptions {
        Objects.requireNonNull(labelSelector);
        Objects.requireNonNull(fieldSelector);
        Objects.requireNonNull(resourceVersion);
        Objects.requireNonNull(resourceVersionMatch);
        Objects.requireNonNull(continueToken);
        if (limit < 0) {
            throw new IllegalArgumentException("a negative limit: " + limit);
        }
    }

    /** Creates options without {@code sendInitialEvents}. */
    public ListOptions(
            String labelSelector,
            String fieldSelector,
            String resourceVersion,
            String resourceVersionMatch,
            int limit,
            String continueToken) {
        this(labelSelector, fieldSelector, resourceVersion, resourceVersionMatch, limit, continueToken, false);
    }

    /** Objects that two selectors pick, as they are now. */
    public static ListOptions selecting(String labelSelector, String fieldSelector) {
        return new ListOptions(labelSelector, fieldSelector, "", "", 0, "");
    }

    /**
     * Checks that the options fit each other.
     *
     * @throws StatusException 422 with every cause
     */
    public void check() throws StatusException {
        var causes = new Causes();
        if (!resourceVersionMatch.isEmpty()) {
            checkMatch(causes);
        }
        if (initialEvents) {
            causes.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
        }
        if (!causes.isEmpty()) {
            throw Refusals.invalidOptions("ListOptions", causes.list());
        }
    }

    private void checkMatch(Causes causes) {
        String match = resourceVersionMatch;
        if (resourceVersion.isEmpty()) {
            causes.forbidden(MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided");
        }
        if (!continueToken.isEmpty()) {
            causes.forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided");
        }
        if (!match.equals(EXACT) && !match.equals(NOT_OLDER_THAN)) {
            causes.notSupported(MATCH, match, List.of(EXACT, NOT_OLDER_THAN, ""));
        }
        if (match.equals(EXACT) && resourceVersion.equals("0")) {
            causes.forbidden(MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
        }
    }
}
