package io.plat.http.authentication;

import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.review.UserInfo;
import java.util.List;

/**
 * Union of authenticators. The first authenticated user wins. Otherwise, if any result is undecided, so is the union; if any credential
 * was refused, the request is refused. An {@code Authorization} header or client certificate that no member recognizes counts as refused.
 * Only a request without any credential is anonymous, if anonymous requests are enabled.
 *
 * @param anonymous whether a request without a credential is {@code system:anonymous} rather than refused
 */
public record AuthenticatorUnion(List<Authenticator> members, boolean anonymous) implements Authenticator {
    private static final UserInfo ANONYMOUS = new UserInfo(UserInfo.ANONYMOUS, List.of(UserInfo.UNAUTHENTICATED));

    public AuthenticatorUnion {
        members = List.copyOf(members);
    }

    /** Authenticates a request; never returns {@link Absent}. */
    @Override
    public Authentication authenticate(Credentials credentials) {
        Authentication judged = Authentication.first(members, member -> member.authenticate(credentials));
        if (judged instanceof Authenticated proven) {
            return new Authenticated(proven.user().authenticated());
        }
        if (!(judged instanceof Absent)) {
            return judged;
        }
        if (!credentials.headers("Authorization").isEmpty()) {
            return new Refused("unsupported Authorization header");
        }
        if (!credentials.certificates().isEmpty()) {
            return new Refused("client certificate not accepted by any authenticator");
        }
        return anonymous ? new Authenticated(ANONYMOUS) : new Refused("no credential");
    }

    @Override
    public boolean waits(Credentials credentials) {
        for (Authenticator member : members) {
            if (member.waits(credentials)) {
                return true;
            }
        }
        return false;
    }
}
