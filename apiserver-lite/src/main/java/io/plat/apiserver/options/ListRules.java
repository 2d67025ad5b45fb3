package io.plat.apiserver.options;

import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.type.Refusals;
import io.plat.review.status.StatusException;
import java.util.List;

/** Which options of a list contradict each other. */
public final class ListRules {
    /** The state of exactly the version given. */
    public static final String EXACT = "Exact";

    /** Any state that is at least as new as the version given. */
    public static final String NOT_OLDER_THAN = "NotOlderThan";

    private static final String KIND = "ListOptions";
    private static final String MATCH = "resourceVersionMatch";

    private ListRules() {}

    /**
     * Checks that the options fit each other.
     *
     * @throws StatusException 422 with every cause
     */
    public static void check(ListOptions options) throws StatusException {
        var causes = new Causes();
        if (!options.resourceVersionMatch().isEmpty()) {
            checkMatch(options, causes);
        }
        if (options.initialEvents()) {
            causes.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
        }
        if (!causes.isEmpty()) {
            throw Refusals.invalidOptions(KIND, causes.list());
        }
    }

    private static void checkMatch(ListOptions options, Causes causes) {
        String match = options.resourceVersionMatch();
        if (options.resourceVersion().isEmpty()) {
            causes.forbidden(MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided");
        }
        if (!options.continueToken().isEmpty()) {
            causes.forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided");
        }
        if (!match.equals(EXACT) && !match.equals(NOT_OLDER_THAN)) {
            causes.notSupported(MATCH, match, List.of(EXACT, NOT_OLDER_THAN, ""));
        }
        if (match.equals(EXACT) && options.resourceVersion().equals("0")) {
            causes.forbidden(MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
        }
    }
}
