package io.plat.fronts.check;

import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.Authentication.Undecided;
import io.plat.http.authentication.BearerTokenAuthenticator;
import io.plat.http.authentication.Credentials;
import io.plat.http.authentication.TokenAuthenticator;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;

/** Source of a user's identity: one kind of header fields; others are ignored. Thread-safe. */
public interface IdentitySource {
    /**
     * Returns the user of a request, as a member of {@code system:authenticated}.
     *
     * @param fields the forwarded header fields
     * @throws StatusException 401 if they name no user or the credential is not valid; 400 if they could name several; 503 if the credential could not be
     *     verified now
     */
    UserInfo identify(Credentials fields) throws StatusException;

    /** Returns whether {@link #identify} may block, and thus needs a thread that may. */
    default boolean waits(Credentials fields) {
        return false;
    }

    /** Returns the value of {@code WWW-Authenticate} in an answer without a user; {@code ""} for none. */
    default String challenge() {
        return "";
    }

    static IdentitySource bearer(TokenAuthenticator tokens, List<String> audiences) {
        return new Bearer(new BearerTokenAuthenticator(List.of(tokens), audiences));
    }

    /**
     * Returns the authenticated user.
     *
     * @throws StatusException 401 or 503 without one
     */
    static UserInfo requireUser(Authentication authentication) throws StatusException {
        return switch (authentication) {
            case Authenticated authenticated -> authenticated.user().authenticated();
            case Refused refused -> throw withoutUser(refused.reason());
            case Absent _ -> throw withoutUser("no credential");
            case Undecided undecided -> throw new StatusException(StatusReason.SERVICE_UNAVAILABLE, undecided.reason());
        };
    }

    static StatusException withoutUser(String cause) {
        return new StatusException(StatusReason.UNAUTHORIZED, "the request names no user: " + cause);
    }

    /** Tokens in the {@code Authorization} field. */
    record Bearer(BearerTokenAuthenticator tokens) implements IdentitySource {
        @Override
        public UserInfo identify(Credentials fields) throws StatusException {
            if (fields.headers("Authorization").size() > 1) {
                throw ProxiedRequest.ambiguous("Authorization is sent twice");
            }
            return requireUser(tokens.authenticate(fields));
        }

        @Override
        public boolean waits(Credentials fields) {
            return tokens.waits(fields);
        }

        @Override
        public String challenge() {
            return "Bearer";
        }
    }
}
