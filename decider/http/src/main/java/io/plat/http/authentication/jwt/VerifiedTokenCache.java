package io.plat.http.authentication.jwt;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.plat.http.authentication.TokenDigest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Short-lived cache of verified tokens: verifying a signature costs a hundred times as much as a lookup. Only valid tokens are cached,
 * by their digest, so that neither guesses nor tokens stay in memory.
 *
 * @param <T> cached contents of a token
 */
public final class VerifiedTokenCache<T> {
    /** Lifetime of a cached verification, as in kube-apiserver. */
    public static final Duration TTL = Duration.ofSeconds(10);

    /** Maximum size of the cache, in characters of the tokens, which also bounds the cached contents. */
    private static final long MAX_CHARACTERS = 16L << 20;

    private record CachedToken<T>(T value, int weight) {}

    private final Cache<TokenDigest, CachedToken<T>> kept;

    public VerifiedTokenCache() {
        this(Ticker.systemTicker());
    }

    VerifiedTokenCache(Ticker ticker) {
        this.kept = Caffeine.newBuilder()
                .expireAfterWrite(TTL)
                .maximumWeight(MAX_CHARACTERS)
                .weigher((TokenDigest digest, CachedToken<T> value) -> value.weight())
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    /** Returns the cached contents of a token, or null. */
    public @Nullable T find(TokenDigest token) {
        CachedToken<T> found = kept.getIfPresent(token);
        return found == null ? null : found.value();
    }

    /**
     * Caches a valid token.
     *
     * @param length length of the token, in characters
     */
    public void keep(TokenDigest token, int length, T value) {
        kept.put(token, new CachedToken<>(value, length));
    }
}
