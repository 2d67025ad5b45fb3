package io.plat.apiserver.options;

import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.status.StatusException;
import java.util.List;

/**
 * Options of a watch. Strings are as in the query, {@code ""} if absent.
 *
 * @param resourceVersion version after which to start; {@code ""} and {@code "0"} start with the current objects
 * @param resourceVersionMatch {@code NotOlderThan} with {@code sendInitialEvents}, else {@code ""}
 * @param initialEvents whether the client requests initial events
 * @param bookmarks whether the client requests bookmarks
 */
public record WatchOptions(
        String labelSelector,
        String fieldSelector,
        String resourceVersion,
        String resourceVersionMatch,
        InitialEvents initialEvents,
        boolean bookmarks) {
    private static final String NOT_OLDER_THAN = "NotOlderThan";
    private static final String MATCH = "resourceVersionMatch";

    /** Default options: everything, starting with the current objects. */
    public static final WatchOptions DEFAULT = new WatchOptions("", "", "", "", InitialEvents.UNSPECIFIED, false);

    /** Value of {@code sendInitialEvents}. */
    public enum InitialEvents {
        TRUE,
        FALSE,
        UNSPECIFIED
    }

    /** Returns whether the watch can start at any version. */
    public boolean fromAnywhere() {
        return resourceVersion.isEmpty() || resourceVersion.equals("0");
    }

    public boolean startsWithObjects() {
        return initialEvents == InitialEvents.TRUE || (initialEvents == InitialEvents.UNSPECIFIED && fromAnywhere());
    }

    /**
     * Validates the combination of options.
     *
     * @throws StatusException 422 with all causes
     */
    public void check() throws StatusException {
        var causes = new Causes();
        boolean match = !resourceVersionMatch.isEmpty();
        boolean notOlder = resourceVersionMatch.equals(NOT_OLDER_THAN);
        if (initialEvents != InitialEvents.UNSPECIFIED && !notOlder) {
            causes.forbidden(MATCH, "sendInitialEvents requires setting resourceVersionMatch to " + NOT_OLDER_THAN);
        }
        if (match && initialEvents == InitialEvents.UNSPECIFIED) {
            causes.forbidden(MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
        }
        if (match && !notOlder) {
            causes.notSupported(MATCH, resourceVersionMatch, List.of(NOT_OLDER_THAN));
        }
        ApiErrors.checkOptions("ListOptions", causes);
    }
}
