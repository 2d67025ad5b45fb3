package io.plat.apiserver.authentication;

import io.plat.apiserver.authentication.Authentication.Absent;
import io.plat.apiserver.authentication.Authentication.Authenticated;
import io.plat.apiserver.authentication.Authentication.Refused;
import io.plat.apiserver.authentication.Authentication.Undecided;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bearer tokens of every kind. The first authenticator that proves a user decides; a token that none knows is refused, unless one of them
 * could not tell.
 */
public final class BearerTokens implements Authenticator {
    /** The longest token that is looked at, in characters. */
    static final int LONGEST = 32 * 1024;

    private static final String UNKNOWN = "invalid bearer token";

    private final List<TokenAuthenticator> members;
    private final List<String> own;

    /**
     * Tokens of several kinds.
     *
     * @param members asked in this order
     * @param audiences what this server calls itself ({@code --api-audiences})
     */
    public BearerTokens(List<TokenAuthenticator> members, List<String> audiences) {
        this.members = List.copyOf(members);
        this.own = List.copyOf(audiences);
    }

    /** What this server calls itself. */
    public List<String> audiences() {
        return own;
    }

    @Override
    public Authentication authenticate(Credentials credentials) {
        Optional<String> token = BearerToken.of(credentials);
        return token.isEmpty() ? Absent.ABSENT : judge(token.get(), own);
    }

    @Override
    public boolean waits(Credentials credentials) {
        Optional<String> token = BearerToken.of(credentials);
        return token.isPresent() && token.get().length() <= LONGEST && waits(token.get());
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
     * The judgement on a token that somebody else was shown: a user with all groups, a refusal, or that it can't be told.
     *
     * @param audiences for whom the token has to be
     */
    public Authentication review(String token, List<String> audiences) {
        return switch (judge(token, audiences)) {
            case Authenticated proven ->
                new Authenticated(AuthenticatorUnion.authenticated(proven.user()), proven.audiences());
            case Refused refused -> refused;
            case Undecided undecided -> undecided;
            case Absent absent -> absent;
        };
    }

    private Authentication judge(String token, List<String> audiences) {
        if (token.length() > LONGEST) {
            return new Refused(UNKNOWN + ": longer than " + LONGEST + " characters");
        }
        @Nullable Refused refused = null;
        @Nullable Undecided undecided = null;
        for (TokenAuthenticator member : members) {
            switch (member.authenticate(token, audiences)) {
                case Authenticated proven -> {
                    return proven;
                }
                case Refused why -> refused = refused == null ? why : refused;
                case Undecided why -> undecided = undecided == null ? why : undecided;
                case Absent _ -> {}
            }
        }
        if (undecided != null) {
            return undecided;
        }
        return refused == null ? new Refused(UNKNOWN) : new Refused(UNKNOWN + ": " + refused.reason());
    }
}
