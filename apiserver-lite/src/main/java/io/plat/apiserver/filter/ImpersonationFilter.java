package io.plat.apiserver.filter;

import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.Locale;

/**
 * Refuses requests that are to be made as somebody else ({@code Impersonate-User} and its kin) with 501. Doing them with the
 * caller's own rights would show a right, or use one, that the person meant does not have.
 */
public final class ImpersonationFilter implements Filter {
    private static final String PREFIX = "impersonate-";

    private static final Status REFUSED = Status.of(
            StatusReason.NOT_IMPLEMENTED,
            "impersonation is not implemented: ask about another user with a SubjectAccessReview");

    @Override
    public void admit(Call call) throws StatusException {
        for (String name : call.incoming().headerNames()) {
            if (name.toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
                throw new StatusException(REFUSED);
            }
        }
    }
}
