package io.plat.apiserver.options;

import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.status.StatusException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of a list or a watch. Strings are as in the query, {@code ""} if absent.
 *
 * @param resourceVersion version of a list, to be matched as {@code resourceVersionMatch} specifies; version after which a watch starts,
 *     where {@code ""} and {@code "0"} start with the current objects
 * @param resourceVersionMatch {@code Exact}, {@code NotOlderThan} or {@code ""}
 * @param limit maximum number of objects; 0 for all
 * @param initialEvents whether a watch is to start with the current objects; null if unspecified
 * @param bookmarks whether the client of a watch requests bookmarks
 */
public record ListOptions(
        String labelSelector,
        String fieldSelector,
        String resourceVersion,
        String resourceVersionMatch,
        int limit,
        String continueToken,
        @Nullable Boolean initialEvents,
        boolean bookmarks) {
    /** Match of exactly the given version. */
    public static final String EXACT = "Exact";

    /** Match of the given or any newer version. */
    public static final String NOT_OLDER_THAN = "NotOlderThan";

    private static final String MATCH = "resourceVersionMatch";
    private static final String CONTINUED = "resourceVersionMatch is forbidden when continue is provided";

    /** Default options: everything, in the newest state. */
    public static final ListOptions DEFAULT = new ListOptions("", "", "", "", 0, "", null, false);

    public ListOptions {
        if (limit < 0) {
            throw new IllegalArgumentException("a negative limit: " + limit);
        }
    }

    /** Returns whether a watch can start at any version. */
    public boolean fromAnywhere() {
        return resourceVersion.isEmpty() || resourceVersion.equals("0");
    }

    public boolean startsWithObjects() {
        return initialEvents == null ? fromAnywhere() : initialEvents;
    }

    /**
     * Validates the combination of options of a list.
     *
     * @throws StatusException 422 for an invalid combination
     */
    public void checkList() throws StatusException {
        var causes = new Causes();
        if (!resourceVersionMatch.isEmpty()) {
            checkMatch(causes.field(MATCH, resourceVersionMatch));
        }
        if (initialEvents != null) {
            causes.field("sendInitialEvents", "").forbidden("sendInitialEvents is forbidden for list");
        }
        ApiErrors.checkOptions("ListOptions", causes);
    }

    private void checkMatch(Field match) {
        if (resourceVersion.isEmpty()) {
            match.forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided");
        }
        if (!continueToken.isEmpty()) {
            match.forbidden(CONTINUED);
        }
        if (!match.is(EXACT) && !match.is(NOT_OLDER_THAN)) {
            match.notSupported(List.of(EXACT, NOT_OLDER_THAN, ""));
        }
        if (match.is(EXACT) && resourceVersion.equals("0")) {
            match.forbidden("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
        }
    }

    /**
     * Validates the combination of options of a watch.
     *
     * @throws StatusException 422 for an invalid combination
     */
    public void checkWatch() throws StatusException {
        var causes = new Causes();
        Field match = causes.field(MATCH, resourceVersionMatch);
        boolean notOlder = resourceVersionMatch.equals(NOT_OLDER_THAN);
        if (initialEvents != null && !notOlder) {
            match.forbidden("sendInitialEvents requires setting resourceVersionMatch to " + NOT_OLDER_THAN);
        }
        if (!match.isEmpty() && initialEvents == null) {
            match.forbidden("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
        }
        if (!match.isEmpty() && !notOlder) {
            match.notSupported(List.of(NOT_OLDER_THAN));
        }
        if (!match.isEmpty() && !continueToken.isEmpty()) {
            match.forbidden(CONTINUED);
        }
        ApiErrors.checkOptions("ListOptions", causes);
    }
}
