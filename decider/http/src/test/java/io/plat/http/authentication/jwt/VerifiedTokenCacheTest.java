package io.plat.http.authentication.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.authentication.TokenDigest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerifiedTokenCacheTest {
    private final AtomicLong now = new AtomicLong();
    private final VerifiedTokenCache<String> tokens = new VerifiedTokenCache<>(now::get);

    private static TokenDigest digest(String token) {
        return TokenDigest.of(token);
    }

    @Test
    void aVerificationIsCachedForTenSeconds() {
        tokens.keep(digest("a"), 1, "alice");
        for (int second = 0; second < 10; second++) {
            assertThat(tokens.find(digest("a"))).isEqualTo("alice");
            assertThat(tokens.find(digest("b"))).isNull();
            now.addAndGet(Duration.ofSeconds(1).toNanos());
        }
        assertThat(tokens.find(digest("a"))).isNull();
    }

    @Test
    void theCacheIsBounded() {
        int length = 1 << 20;
        IntStream.range(0, 100).forEach(i -> tokens.keep(digest("t" + i), length, "user"));
        long kept = IntStream.range(0, 100)
                .filter(i -> tokens.find(digest("t" + i)) != null)
                .count();
        assertThat(kept).isBetween(1L, 16L);
    }

    @Test
    void aDigestDoesNotRevealItsToken() {
        assertThat(digest("s3cret").toString()).doesNotContain("s3cret");
        assertThat(digest("a")).isEqualTo(digest("a")).isNotEqualTo(digest("b"));
    }
}
