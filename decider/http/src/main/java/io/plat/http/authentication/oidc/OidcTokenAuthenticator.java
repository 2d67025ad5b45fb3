package io.plat.http.authentication.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.TokenAuthenticator;
import io.plat.http.authentication.TokenDigest;
import io.plat.http.authentication.jwt.Claims;
import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.SignedToken;
import io.plat.http.authentication.jwt.VerifiedTokenCache;
import io.plat.review.UserInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Authenticator of identity tokens of one OpenID Connect issuer ({@code --oidc-issuer-url} and related flags). */
public final class OidcTokenAuthenticator implements TokenAuthenticator {
    /** Maximum clock skew of the issuer, as in kube-apiserver; a token is never accepted after its expiry. */
    private static final Duration SKEW = Duration.ofMinutes(5);

    private final IssuerRules rules;
    private final ClaimMapper mapper;
    private final IssuerKeys keys;
    private final List<String> own;
    private final InstantSource clock;
    private final VerifiedTokenCache<ValidToken> verified = new VerifiedTokenCache<>();

    /** A valid token, cached until it expires or the keys of the issuer change. */
    private record ValidToken(UserInfo user, Instant expiry, KeySet keys) {}

    /** @param audiences audiences of this server, for which alone such tokens are valid */
    public OidcTokenAuthenticator(IssuerRules rules, IssuerKeys keys, List<String> audiences, InstantSource clock) {
        this.rules = rules;
        this.mapper = new ClaimMapper(rules);
        this.keys = keys;
        this.own = List.copyOf(audiences);
        this.clock = clock;
    }

    @Override
    public boolean waits(String token) {
        return cached(TokenDigest.of(token)) == null
                && ofIssuer(token)
                        .map(parsed -> keys.wouldFetch(parsed.keyId()))
                        .orElse(false);
    }

    /** Returns a cached valid token. A reloaded key set counts as another one, so tokens are verified again. */
    @SuppressWarnings("ReferenceEquality")
    private @Nullable ValidToken cached(TokenDigest digest) {
        @Nullable ValidToken good = verified.find(digest);
        boolean current = good != null
                && clock.instant().isBefore(good.expiry())
                && keys.known().orElse(null) == good.keys();
        return current ? good : null;
    }

    private Optional<SignedToken> ofIssuer(String token) {
        return SignedToken.parse(token)
                .filter(parsed -> parsed.claims().issuer().equals(rules.issuer()));
    }

    @Override
    public Authentication authenticate(String token, List<String> audiences) {
        List<String> common = own.stream().filter(audiences::contains).toList();
        if (common.isEmpty()) {
            return Absent.ABSENT;
        }
        TokenDigest digest = TokenDigest.of(token);
        @Nullable ValidToken known = cached(digest);
        if (known != null) {
            return new Authenticated(known.user(), common);
        }
        Optional<SignedToken> parsed = ofIssuer(token);
        if (parsed.isEmpty()) {
            return Absent.ABSENT;
        }
        Optional<KeySet> issued = keys.withKey(parsed.get().keyId());
        return switch (verify(parsed.get(), issued)) {
            case Authenticated proven -> {
                Instant expiry = parsed.get().claims().expiry().orElse(Instant.MIN);
                verified.keep(digest, token.length(), new ValidToken(proven.user(), expiry, issued.orElseThrow()));
                yield new Authenticated(proven.user(), common);
            }
            case Refused refused -> refused;
            case Authentication.Undecided undecided -> undecided;
            case Absent absent -> absent;
        };
    }

    private Authentication verify(SignedToken token, Optional<KeySet> all) {
        if (all.isEmpty()) {
            return ClaimMapper.refused("the keys of the issuer are not known yet");
        }
        if (!token.verifiedBy(all.get().named(token.keyId()), rules.algorithms())) {
            return ClaimMapper.refused("it is not signed by a key of the issuer with an accepted algorithm");
        }
        Claims claims = token.claims();
        if (!claims.audiences().contains(rules.clientId())) {
            return ClaimMapper.refused("it is for other audiences");
        }
        Instant now = clock.instant();
        if (claims.expiry().isEmpty() || !now.isBefore(claims.expiry().get())) {
            return ClaimMapper.refused("it has expired");
        }
        boolean undated = claims.has("nbf") && claims.notBefore().isEmpty();
        if (undated || claims.notBefore().orElse(Instant.MIN).isAfter(now.plus(SKEW))) {
            return ClaimMapper.refused("it is not valid yet");
        }
        return mapper.user(claims);
    }

    /** Maps the claims of a verified token to a user, or returns the reason why it cannot. */
    record ClaimMapper(IssuerRules rules) {
        private static final String EMAIL = "email";

        Authentication user(Claims claims) {
            for (Map.Entry<String, String> required : rules.required().entrySet()) {
                if (!claims.has(required.getKey())) {
                    return refused("the required claim \"" + required.getKey() + "\" is missing");
                }
                if (!claims.text(required.getKey()).equals(required.getValue())) {
                    return refused("the required claim \"" + required.getKey() + "\" has another value");
                }
            }
            String claim = rules.username().claim();
            String name = claims.text(claim);
            if (name.isEmpty()) {
                return refused("the claim \"" + claim + "\" is not a string, expected the user name");
            }
            if (claim.equals(EMAIL) && !isVerified(claims)) {
                return refused("the email address is not verified");
            }
            Optional<List<String>> groups = groups(claims);
            if (groups.isEmpty()) {
                return refused(
                        "the claim \"" + rules.groups().claim() + "\" is neither a string nor a list of strings");
            }
            Map<String, List<String>> extra =
                    claims.id().isEmpty() ? Map.of() : Map.of(UserInfo.CREDENTIAL_ID, List.of("JTI=" + claims.id()));
            return new Authenticated(new UserInfo(rules.username().prefix() + name, "", groups.get(), extra));
        }

        /** Returns whether the email address is verified; true if the issuer does not state it, as in kube-apiserver. */
        private static boolean isVerified(Claims claims) {
            JsonNode verified = claims.tree().path("email_verified");
            return verified.isMissingNode() || (verified.isBoolean() && verified.booleanValue());
        }

        private Optional<List<String>> groups(Claims claims) {
            String claim = rules.groups().claim();
            if (claim.isEmpty()
                    || !claims.has(claim)
                    || claims.tree().path(claim).isNull()) {
                return Optional.of(List.of());
            }
            return claims.texts(claim)
                    .map(groups -> groups.stream()
                            .filter(group -> !group.isEmpty())
                            .distinct()
                            .map(group -> rules.groups().prefix() + group)
                            .toList());
        }

        static Refused refused(String cause) {
            return new Refused("OpenID Connect token: " + cause);
        }
    }
}
