package io.plat.http.authentication;

import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.Authentication.Undecided;
import java.util.List;
import java.util.Optional;

/**
 * Authenticator of bearer tokens of every kind. The first authenticated user wins; a token that no member accepts is refused, or
 * undecided if any member is.
 *
 * @param audiences audiences of this server ({@code --api-audiences})
 */
public record BearerTokenAuthenticator(List<TokenAuthenticator> members, List<String> audiences)
        implements Authenticator {
    /** Maximum length of a token, in characters. */
    static final int MAX_TOKEN_LENGTH = 32 * 1024;

    private static final String UNKNOWN = "invalid bearer token";

    public BearerTokenAuthenticator {
        members = List.copyOf(members);
        audiences = List.copyOf(audiences);
    }

    @Override
    public Authentication authenticate(Credentials credentials) {
        Optional<String> token = token(credentials);
        return token.isEmpty() ? Absent.ABSENT : authenticateToken(token.get(), audiences);
    }

    @Override
    public boolean waits(Credentials credentials) {
        Optional<String> token = token(credentials);
        return token.isPresent() && token.get().length() <= MAX_TOKEN_LENGTH && waits(token.get());
    }

    private boolean waits(String token) {
        for (TokenAuthenticator member : members) {
            if (member.waits(token)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Authenticates a token for a TokenReview: returns a user with all groups, a refusal, or an undecided result.
     *
     * @param audiences requested audiences
     */
    public Authentication review(String token, List<String> audiences) {
        Authentication authentication = authenticateToken(token, audiences);
        return authentication instanceof Authenticated proven
                ? new Authenticated(proven.user().authenticated(), proven.audiences())
                : authentication;
    }

    private Authentication authenticateToken(String token, List<String> audiences) {
        if (token.length() > MAX_TOKEN_LENGTH) {
            return new Refused(UNKNOWN + ": longer than " + MAX_TOKEN_LENGTH + " characters");
        }
        return switch (Authentication.first(members, member -> member.authenticate(token, audiences))) {
            case Refused refused -> new Refused(UNKNOWN + ": " + refused.reason());
            case Absent _ -> new Refused(UNKNOWN);
            case Authenticated proven -> proven;
            case Undecided undecided -> undecided;
        };
    }

    /**
     * Returns the bearer token of a request (RFC 6750, 2.1), if it has one. Only a single {@code Authorization} header is accepted, as other parties
     * could pick another one.
     */
    private static Optional<String> token(Credentials credentials) {
        List<String> values = credentials.headers("Authorization");
        if (values.size() != 1) {
            return Optional.empty();
        }
        String value = values.getFirst().strip();
        int space = value.indexOf(' ');
        if (space < 0 || !value.substring(0, space).equalsIgnoreCase("bearer")) {
            return Optional.empty();
        }
        String token = value.substring(space + 1).strip();
        return token.isEmpty() ? Optional.empty() : Optional.of(token);
    }
}
