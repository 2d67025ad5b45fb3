package io.plat.apiserver.filter;

import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.Authentication.Undecided;
import io.plat.http.authentication.Authenticator;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates requests. An invalid credential, or none if anonymous requests are disabled, is a 401 without details; the reason is
 * logged. If authentication could not be decided, it is a 503, since clients discard their credentials after a 401.
 */
public final class AuthenticationFilter implements Filter {
    /** Response if authentication could not be decided. */
    public static final Status UNDECIDED = Status.of(
            StatusReason.SERVICE_UNAVAILABLE, "the credential could not be verified now, please try again later");

    private static final Logger LOG = LoggerFactory.getLogger(AuthenticationFilter.class);

    private final Authenticator authenticator;
    private final Predicate<String> credentialHeaders;
    private final Predicate<String> naming;
    private final Consumer<Authentication> listener;

    /** Creates a filter without a listener. */
    public AuthenticationFilter(Authenticator authenticator, Predicate<String> credentialHeaders) {
        this(authenticator, credentialHeaders, result -> {});
    }

    /**
     * Creates a filter.
     *
     * @param credentialHeaders recognizes the names of header fields with credentials, which are hidden afterwards
     */
    public AuthenticationFilter(
            Authenticator authenticator, Predicate<String> credentialHeaders, Consumer<Authentication> listener) {
        this.authenticator = authenticator;
        this.listener = listener;
        this.naming = credentialHeaders.or(Impersonation::isImpersonationHeader);
        this.credentialHeaders = name -> name.equalsIgnoreCase("Authorization") || credentialHeaders.test(name);
    }

    /** Returns whether this filter or the impersonation filter reads a header field. */
    public boolean reads(String name) {
        return credentialHeaders.test(name) || Impersonation.isImpersonationHeader(name);
    }

    @Override
    public void admit(Call call) throws StatusException {
        IncomingRequest incoming = call.incoming();
        // Refused as a whole: otherwise the request would be that of the proxy.
        if (incoming.hasHeader(name -> naming.test(name) && isMalformed(incoming.headers(name)))) {
            throw new StatusException(StatusReason.BAD_REQUEST, "a header field that names a user is not UTF-8");
        }
        Authentication result = authenticator.authenticate(incoming);
        listener.accept(result);
        switch (result) {
            case Authenticated authenticated -> {
                call.user(authenticated.user());
                call.hide(credentialHeaders);
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
    public boolean mayBlock(Call call) {
        return authenticator.waits(call.incoming());
    }

    /** Returns whether bytes were replaced, as they are not UTF-8: several names would become one. */
    private static boolean isMalformed(List<String> values) {
        return values.stream().anyMatch(value -> value.indexOf('\ufffd') >= 0);
    }

    private static StatusException unauthorized() {
        return new StatusException(StatusReason.UNAUTHORIZED, "Unauthorized");
    }
}
