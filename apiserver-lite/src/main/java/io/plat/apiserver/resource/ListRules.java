package io.plat.apiserver.resource;

import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;

/** Which options of a list contradict each other. */
final class ListRules {
    /** The state of exactly the version given. */
    static final String EXACT = "Exact";

    /** Any state that is at least as new as the version given. */
    static final String NOT_OLDER_THAN = "NotOlderThan";

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
            throw invalid(causes.list());
        }
    }

    private static StatusException invalid(List<Status.Cause> causes) {
        List<String> texts = causes.stream()
                .map(cause -> cause.field() + ": " + cause.message())
                .toList();
        String all = texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
        return new StatusException(Status.of(StatusReason.INVALID, "ListOptions.meta.k8s.io \"\" is invalid: " + all)
                .withDetails(new Status.Details("", "meta.k8s.io", "ListOptions", "", causes, 0)));
    }
}
