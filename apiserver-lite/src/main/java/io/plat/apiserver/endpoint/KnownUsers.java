package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.Denials;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;

/** Paths that whoever nobody knows is refused, whatever the policy says. */
final class KnownUsers {
    private KnownUsers() {}

    /**
     * Returns if it is known who asks, and as whom.
     *
     * @param why said to those who are not known
     * @throws StatusException 403 if it is not
     */
    static void require(Call call, String why) throws StatusException {
        if (isUnknown(call.user()) || isUnknown(call.authenticated())) {
            throw new StatusException(Denials.forbidden(call.attributes(), why));
        }
    }

    private static boolean isUnknown(UserInfo user) {
        return user.name().equals(UserInfo.ANONYMOUS) || user.groups().contains(UserInfo.UNAUTHENTICATED);
    }
}
