package io.plat.apiserver.authentication.account;

import io.plat.apiserver.authentication.jwt.SigningKey;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;

/** Issues tokens for service accounts. For any number of threads. */
public final class TokenIssuer {
    private final Settings settings;
    private final SigningKey key;
    private final InstantSource clock;
    private final Supplier<String> ids;

    /**
     * What all its tokens have in common.
     *
     * @param issuer the name they are issued under
     * @param audiences for whom a token is that nobody named an audience for
     * @param longest the most seconds that a token is valid; 0 for any number
     */
    public record Settings(String issuer, List<String> audiences, long longest) {
        public Settings {
            audiences = List.copyOf(audiences);
        }
    }

    /**
     * A token that was issued.
     *
     * @param id its name, which no other has
     * @param text the token
     * @param expiry from when on it is no longer valid
     */
    public record Issued(String id, String text, Instant expiry) {
        @Override
        public String toString() {
            return "a token until " + expiry;
        }
    }

    /**
     * An issuer.
     *
     * @param ids gives each token a name that no other has
     */
    public TokenIssuer(Settings settings, SigningKey key, InstantSource clock, Supplier<String> ids) {
        this.settings = settings;
        this.key = key;
        this.clock = clock;
        this.ids = ids;
    }

    /** What all its tokens have in common. */
    public Settings settings() {
        return settings;
    }

    /**
     * Issues a token.
     *
     * @param claims its account, and what it is bound to besides
     * @param audiences for whom it is, at least one
     * @param seconds how long it is valid
     */
    public Issued issue(AccountClaims claims, List<String> audiences, long seconds) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        String id = ids.get();
        String text = key.sign(claims.named(id).write(audiences, seconds, settings.issuer(), now));
        return new Issued(id, text, now.plusSeconds(seconds));
    }
}
