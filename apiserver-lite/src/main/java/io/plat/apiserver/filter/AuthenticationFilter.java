package io.plat.apiserver.filter;

import io.plat.apiserver.authentication.Authentication.Absent;
import io.plat.apiserver.authentication.Authentication.Authenticated;
import io.plat.apiserver.authentication.Authentication.Refused;
import io.plat.apiserver.authentication.Authenticator;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out who asks. Where a credential is not to be believed, or none was presented and anonymous requests are not admitted,
 * the answer is 401 and says nothing more: why is the log's to tell.
 */
public final class AuthenticationFilter implements Filter {
    private static final Logger LOG = LoggerFactory.getLogger(AuthenticationFilter.class);

    private final Authenticator authenticator;

    /** A filter that believes this authenticator. */
    public AuthenticationFilter(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    @Override
    public void admit(Call call) throws StatusException {
        switch (authenticator.authenticate(call.incoming().credentials())) {
            case Authenticated proven -> call.user(proven.user());
            case Refused refused -> {
                LOG.debug("unauthorized: {}", refused.reason());
                throw unauthorized();
            }
            case Absent _ -> throw unauthorized();
        }
    }

    @Override
    public boolean waits(Call call) {
        return authenticator.waits(call.incoming().credentials());
    }

    private static StatusException unauthorized() {
        return new StatusException(StatusReason.UNAUTHORIZED, "Unauthorized");
    }
}
