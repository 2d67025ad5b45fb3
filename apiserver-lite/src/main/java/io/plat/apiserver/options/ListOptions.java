package io.plat.apiserver.options;

import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.status.StatusException;
import java.util.List;

/**
 * Options of a list. Strings are as in the query, {@code ""} if absent.
 *
 * @param resourceVersion version, to be matched as {@code resourceVersionMatch} specifies
 * @param resourceVersionMatch {@code Exact}, {@code NotOlderThan} or {@code ""}
 * @param limit maximum number of objects; 0 for all
 * @param continueToken token of an earlier chunk
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
    /** Match of exactly the given version. */
    public static final String EXACT = "Exact";

    /** Match of the given or any newer version. */
    public static final String NOT_OLDER_THAN = "NotOlderThan";

    private static final String MATCH = "resourceVersionMatch";

    /** Default options: everything, in the newest state. */
    public static final ListOptions DEFAULT = new ListOptions("", "", "", "", 0, "", false);

    public ListOptions {
        if (limit < 0) {
            throw new IllegalArgumentException("a negative limit: " + limit);
        }
    }

    /**
     * Validates the combination of options.
     *
     * @throws StatusException 422 with all causes
     */
    public void check() throws StatusException {
        var causes = new Causes();
        if (!resourceVersionMatch.isEmpty()) {
            checkMatch(causes);
        }
        if (initialEvents) {
            causes.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
        }
        ApiErrors.checkOptions("ListOptions", causes);
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
