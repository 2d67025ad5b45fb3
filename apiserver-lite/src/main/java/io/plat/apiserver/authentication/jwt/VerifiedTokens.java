package io.plat.apiserver.authentication.jwt;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.plat.apiserver.authentication.TokenDigest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What tokens were found to say, for a short while: verifying a signature costs a hundred times a look-up. Only tokens that are good
 * are remembered, by their digest, so that neither guesses nor tokens stay in memory.
 *
 * @param <T> what a token says
 */
public final class VerifiedTokens<T> {
    /** How long a verification is good for, as in existing servers. */
    public static final Duration TTL = Duration.ofSeconds(10);

    /** The most that is remembered, in characters of the tokens, which bounds what they say as well. */
    private static final long MOST = 16L << 20;

    private record Kept<T>(T value, int weight) {}

    private final Cache<TokenDigest, Kept<T>> kept;

    /** A memory that nothing is in. */
    public VerifiedTokens() {
        this(Ticker.systemTicker());
    }

    VerifiedTokens(Ticker ticker) {
        this.kept = Caffeine.newBuilder()
                .expireAfterWrite(TTL)
                .maximumWeight(MOST)
                .weigher((TokenDigest digest, Kept<T> value) -> value.weight())
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    /** What a token was found to say, or null. */
    public @Nullable T find(TokenDigest token) {
        Kept<T> found = kept.getIfPresent(token);
        return found == null ? null : found.value();
    }

    /**
     * Remembers a token that is good.
     *
     * @param length the token's length in characters
     */
    public void keep(TokenDigest token, int length, T value) {
        kept.put(token, new Kept<>(value, length));
    }
}
