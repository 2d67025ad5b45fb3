package io.plat.apiserver.authentication.account;

import io.plat.http.authentication.jwt.SigningKey;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;

/**
 * Issuer of service account tokens. Thread-safe.
 *
 * @param ids generates unique {@code jti} values
 */
public record TokenIssuer(Settings settings, SigningKey key, InstantSource clock, Supplier<String> ids) {
    /**
     * Settings common to all tokens.
     *
     * @param issuer the {@code iss} claim
     * @param maxSeconds maximum lifetime in seconds; 0 for no limit
     */
    public record Settings(String issuer, List<String> audiences, long maxSeconds) {
        public Settings {
            audiences = List.copyOf(audiences);
        }
    }

    public record IssuedToken(String id, String text, Instant expiry) {
        @Override
        public String toString() {
            return "a token until " + expiry;
        }
    }

    /**
     * Issues a token.
     *
     * @param audiences audiences, at least one
     */
    public IssuedToken issue(AccountClaims claims, List<String> audiences, long seconds) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        String id = ids.get();
        String text = key.sign(claims.withId(id).write(audiences, seconds, settings.issuer(), now));
        return new IssuedToken(id, text, now.plusSeconds(seconds));
    }
}
