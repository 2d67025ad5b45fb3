package io.plat.http.authentication.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.TestingKeys;
import io.plat.http.authentication.jwt.VerificationKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RemoteKeySetTest {
    private static final RemoteKeySet.Intervals SLOW =
            new RemoteKeySet.Intervals(Duration.ofHours(1), Duration.ofHours(1), Duration.ofSeconds(5));

    private final AtomicLong nanos = new AtomicLong(1);
    private final AtomicInteger fetches = new AtomicInteger();
    private volatile @Nullable KeySet issuer = set("one");
    private @Nullable RemoteKeySet opened;

    private static KeySet set(String... ids) {
        return new KeySet(List.of(ids).stream()
                .map(id -> VerificationKey.of(id, TestingKeys.P256.getPublic()))
                .toList());
    }

    private KeySet fetch() throws UnusableKeysException {
        fetches.incrementAndGet();
        KeySet now = issuer;
        if (now == null) {
            throw new UnusableKeysException("gone");
        }
        return now;
    }

    private RemoteKeySet start(RemoteKeySet.Intervals pace) {
        RemoteKeySet keys = RemoteKeySet.start(this::fetch, pace, nanos::get);
        opened = keys;
        return keys;
    }

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    private static List<String> ids(RemoteKeySet keys) {
        return keys.known()
                .map(set -> set.keys().stream().map(VerificationKey::id).toList())
                .orElse(List.of());
    }

    @Test
    void keysAreFetchedAtStartAndPeriodically() {
        RemoteKeySet keys =
                start(new RemoteKeySet.Intervals(Duration.ofMillis(5), Duration.ofMillis(5), Duration.ofSeconds(5)));
        await().until(() -> ids(keys).equals(List.of("one")));
        issuer = set("two");
        await().until(() -> ids(keys).equals(List.of("two")));
        issuer = null;
        int before = fetches.get();
        await().until(() -> fetches.get() > before + 2);
        assertThat(ids(keys)).as("while the issuer is unreachable").containsExactly("two");
        issuer = set("three");
        await().until(() -> ids(keys).equals(List.of("three")));
    }

    @Test
    void unknownKeysAreFetchedRateLimited() {
        RemoteKeySet keys = start(SLOW);
        await().until(() -> ids(keys).equals(List.of("one")));
        assertThat(keys.wouldFetch("one")).isFalse();
        assertThat(keys.wouldFetch("two")).as("too soon").isFalse();
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        issuer = set("one", "two");
        assertThat(keys.wouldFetch("one")).isFalse();
        assertThat(keys.wouldFetch("two")).isTrue();
        assertThat(keys.withKey("two").orElseThrow().named("two")).hasSize(1);
        for (int guess = 0; guess < 100; guess++) {
            assertThat(keys.wouldFetch("guess" + guess)).isFalse();
            keys.withKey("guess" + guess);
        }
        assertThat(fetches).hasValue(2);
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        issuer = null;
        assertThat(keys.withKey("guess").orElseThrow().keys()).hasSize(2);
        assertThat(fetches).hasValue(3);
    }

    @Test
    void requestsWaitForTheFirstKeys() throws Exception {
        CountDownLatch requested = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        RemoteKeySet keys = RemoteKeySet.start(
                () -> {
                    requested.countDown();
                    answers.await();
                    return fetch();
                },
                SLOW,
                nanos::get);
        opened = keys;
        requested.await();
        assertThat(keys.known()).isEmpty();
        assertThat(keys.wouldFetch("one")).isTrue();
        Thread waiting = Thread.ofVirtual().start(() -> keys.withKey("one"));
        answers.countDown();
        waiting.join();
        assertThat(ids(keys)).containsExactly("one");
        assertThat(fetches).hasValue(1);
    }
}
