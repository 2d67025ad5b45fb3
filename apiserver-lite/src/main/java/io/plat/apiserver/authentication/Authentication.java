package io.plat.apiserver.authentication;

import io.plat.review.UserInfo;
import java.util.Objects;

/** What an authenticator makes of a request's credentials. */
public sealed interface Authentication {
    /**
     * The credential proves this user.
     *
     * @param user name and groups; {@code system:authenticated} is added by {@link AuthenticatorUnion}
     */
    record Authenticated(UserInfo user) implements Authentication {
        public Authenticated {
            Objects.requireNonNull(user);
        }
    }

    /**
     * There is a credential and it is not to be believed.
     *
     * @param reason one line for the server's log, without the credential; the client is told nothing but 401
     */
    record Refused(String reason) implements Authentication {
        public Refused {
            Objects.requireNonNull(reason);
        }
    }

    /** The request carries no credential of this kind. */
    record Absent() implements Authentication {
        /** The only value that is needed. */
        public static final Absent ABSENT = new Absent();
    }
}
