package io.plat.apiserver.resource;

import io.plat.review.status.StatusException;
import java.util.List;

/** Which options of a list contradict each other. */
public final class ListRules {
    /** The state of exactly the version given. */
    static final String EXACT = "Exact";

    /** Any state that is at least as new as the version given. */
    static final String NOT_OLDER_THAN = "NotOlderThan";

    private static final String KIND = "ListOptions";
    private static final String MATCH = "resourceVersionMatch";

    private ListRules() {}

    /**
     * Goes on where the options can be followed.
     *
     * @throws StatusException 422 with everything that is wrong with them
     */
    static void check(ListOptions options) throws StatusException {
        String match = options.resourceVersionMatch();
        if (match.isEmpty()) {
            return;
        }
        var causes = new Causes();
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
        if (!causes.isEmpty()) {
            throw Refusals.invalidOptions(KIND, causes.list());
        }
    }

    /** 422: only a watch can begin with the objects that there are. */
    public static StatusException initialEventsForbidden() {
        var causes = new Causes();
        causes.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
        return Refusals.invalidOptions(KIND, causes.list());
    }
}
