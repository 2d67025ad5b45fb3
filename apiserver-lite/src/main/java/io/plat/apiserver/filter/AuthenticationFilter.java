package io.plat.apiserver.filter;

import io.plat.apiserver.authentication.Authentication.Absent;
import io.plat.apiserver.authentication.Authentication.Authenticated;
import io.plat.apiserver.authentication.Authentication.Refused;
import io.plat.apiserver.authentication.Authentication.Undecided;
import io.plat.apiserver.authentication.Authenticator;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out who asks. Where a credential is not to be believed, or none was presented and anonymous requests are not admitted,
 * the answer is 401 and says nothing more: why is the log's to tell. Where that can't be found out now it is 503, as a client that hears 401
 * throws its credential away.
 */
public final class AuthenticationFilter implements Filter {
    /** Nobody can say now who asks, or whose token was shown. */
    public static final Status UNDECIDED = Status.of(
            StatusReason.SERVICE_UNAVAILABLE,
            "what the credential is bound to can't be looked up now, please try again later");

    private static final Logger LOG = LoggerFactory.getLogger(AuthenticationFilter.class);

    private final Authenticator authenticator;
    private final Predicate<String> proving;

    /**
     * A filter that believes this authenticator.
     *
     * @param proving tells by its name whether a header field is there to prove who asks, and nobody else's business afterwards
     */
    public AuthenticationFilter(Authenticator authenticator, Predicate<String> proving) {
        this.authenticator = authenticator;
        this.proving = name -> name.equalsIgnoreCase("Authorization") || proving.test(name);
    }

    /** Whether this filter, or the one for impersonation behind it, reads the header field of a name. */
    public boolean reads(String name) {
        return proving.test(name) || Impersonation.isOne(name);
    }

    @Override
    public void admit(Call call) throws StatusException {
        switch (authenticator.authenticate(call.incoming())) {
            case Authenticated proven -> {
                call.user(proven.user());
                call.hide(proving);
            }
            case Refused refused -> {
                LOG.debug("unauthorized: {}", refused.reason());
                throw unauthorized();
            }
            case Undecided undecided -> {
                LOG.debug("not authenticated: {}", undecided.reason());
                throw new StatusException(UNDECIDED);
            }
            case Absent _ -> throw unauthorized();
        }
    }

    @Override
    public boolean admitAtOnce(Call call) throws StatusException {
        if (authenticator.waits(call.incoming())) {
            return false;
        }
        admit(call);
        return true;
    }

    private static StatusException unauthorized() {
        return new StatusException(StatusReason.UNAUTHORIZED, "Unauthorized");
    }
}
