package io.plat.apiserver.permission;

import io.plat.apiserver.filter.Denials;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Permission checks for one write of a user.
 *
 * @param deadline {@link System#nanoTime} from which nothing more is checked
 */
record PermissionChecks(Authorizer authorizer, UserInfo user, long deadline) {
    private static final Status TOO_LATE = Status.of(
            StatusReason.TIMEOUT,
            "Timeout: the permissions for the content of this write could not be checked in time");

    /**
     * Checks whether any of some accesses is allowed: empty if so, else the reasons of the denials, possibly {@code ""}.
     *
     * @throws StatusException 500 if none is allowed and one could not be decided, 504 after the deadline
     */
    Optional<String> refusal(List<ResourceAttributes> accesses) throws StatusException {
        @Nullable Status undecided = null;
        String reason = "";
        for (ResourceAttributes access : accesses) {
            if (System.nanoTime() - deadline > 0) {
                throw new StatusException(TOO_LATE);
            }
            Attributes attributes = new Attributes(user, access);
            switch (authorizer.authorize(attributes)) {
                case Decision.Allow _ -> {
                    return Optional.empty();
                }
                case Decision.Deny deny -> reason = deny.reason();
                case Decision.NoOpinion none -> reason = none.reason();
                case Decision.Undecided failed -> undecided = Denials.undecided(attributes, failed.reason());
            }
        }
        if (undecided != null) {
            throw new StatusException(undecided);
        }
        return Optional.of(reason);
    }
}
