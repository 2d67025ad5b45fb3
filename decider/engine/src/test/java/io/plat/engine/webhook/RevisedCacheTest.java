package io.plat.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.client.cache.CacheCounts;
import io.plat.client.cache.Revised;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.explain.Explainer;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Effects of the decider's revisions on a cache. */
class RevisedCacheTest {
    private static final Attributes ALICE = request("alice");
    private static final Attributes BOB = request("bob");

    private final AtomicLong seconds = new AtomicLong();
    private final AtomicInteger remoteCalls = new AtomicInteger();
    private volatile String revision = "a-1";
    private final CachingAuthorizer cache = cache(request -> {
        remoteCalls.incrementAndGet();
        return answer(revision);
    });

    private CachingAuthorizer cache(Function<Attributes, Revised<Decision>> source) {
        return new CachingAuthorizer(
                source,
                Explainer.of("Webhook", request -> source.apply(request).answer()),
                new CachingAuthorizer.Settings(Duration.ofSeconds(10), Duration.ofSeconds(10)),
                () -> Duration.ofSeconds(seconds.get()).toNanos());
    }

    private static Revised<Decision> answer(String revision) {
        return new Revised<>(new NoOpinion("decided by " + revision), revision);
    }

    private static Attributes request(String user) {
        return new Attributes(new UserInfo(user, List.of()), new NonResourceAttributes("/x", "get"));
    }

    private String decide(Attributes request) {
        return cache.authorize(request).reason();
    }

    @Test
    void aNewRevisionDropsDecisionsOfTheOldOne() {
        cache.cache().received(Set.of("a-1"));
        decide(ALICE);
        decide(BOB);
        assertThat(cache.cache().size()).isEqualTo(2);
        revision = "b-2";
        assertThat(decide(ALICE)).as("no revision received yet").isEqualTo("decided by a-1");
        assertThat(cache.cache().received(Set.of("b-2"))).isTrue();
        assertThat(cache.cached(ALICE)).isEmpty();
        assertThat(cache.cache().size()).isZero();
        assertThat(decide(ALICE)).isEqualTo("decided by b-2");
        assertThat(decide(ALICE)).isEqualTo("decided by b-2");
        assertThat(remoteCalls).hasValue(3);
        assertThat(cache.cache().counts().of(CacheCounts.Event.REVISION)).isEqualTo(2);
        assertThat(cache.cache().counts().of(CacheCounts.Event.HIT)).isEqualTo(2);
        assertThat(cache.cache().counts().of(CacheCounts.Event.MISS)).isEqualTo(3);
    }

    @Test
    void theSameRevisionAgainDropsNothing() {
        cache.cache().received(Set.of("a-1"));
        decide(ALICE);
        assertThat(cache.cache().received(Set.of("a-1"))).isFalse();
        assertThat(cache.cached(ALICE)).isPresent();
    }

    @Test
    void anAnswerBeforeItsNotificationIsNotCached() {
        cache.cache().received(Set.of("a-1"));
        revision = "b-2";
        assertThat(decide(ALICE)).isEqualTo("decided by b-2");
        assertThat(cache.cached(ALICE)).isEmpty();
        assertThat(cache.cache().counts().of(CacheCounts.Event.OUTDATED)).isEqualTo(1);
        cache.cache().received(Set.of("b-2"));
        decide(ALICE);
        assertThat(cache.cached(ALICE)).isPresent();
    }

    @Test
    void anAnswerWithoutARevisionIsNotCachedWhileConnected() {
        cache.cache().received(Set.of("a-1"));
        revision = "";
        decide(ALICE);
        assertThat(cache.cached(ALICE)).isEmpty();
    }

    @Test
    void withoutAStreamDecisionsExpire() {
        decide(ALICE);
        revision = "b-2";
        seconds.set(9);
        assertThat(decide(ALICE)).isEqualTo("decided by a-1");
        seconds.set(10);
        assertThat(decide(ALICE)).isEqualTo("decided by b-2");
    }

    @Test
    void cachedDecisionsRemainAfterADisconnection() {
        cache.cache().received(Set.of("a-1"));
        decide(ALICE);
        cache.cache().disconnected();
        revision = "b-2";
        assertThat(decide(BOB)).isEqualTo("decided by b-2");
        assertThat(decide(ALICE)).isEqualTo("decided by a-1");
        seconds.set(9);
        assertThat(cache.cache().received(Set.of("a-1")))
                .as("another revision was used in between")
                .isTrue();
        assertThat(cache.cached(BOB)).isEmpty();
        assertThat(cache.cached(ALICE)).isPresent();
        seconds.set(10);
        assertThat(cache.cached(ALICE))
                .as("a notification does not renew a decision")
                .isEmpty();
    }

    @Test
    void droppedDecisionsDoNotReturnAfterADisconnection() {
        cache.cache().received(Set.of("a-1"));
        decide(ALICE);
        cache.cache().received(Set.of("b-2"));
        cache.cache().disconnected();
        assertThat(cache.cached(ALICE)).isEmpty();
        assertThat(cache.cache().received(Set.of("b-2"))).isFalse();
    }

    @Test
    void aReconnectionDropsDecisionsOfOtherRevisions() {
        cache.cache().received(Set.of("a-1"));
        decide(ALICE);
        cache.cache().disconnected();
        assertThat(cache.cache().received(Set.of("c-3"))).isTrue();
        assertThat(cache.cached(ALICE)).isEmpty();
    }

    /** A request in flight while the revision of its answer is replaced. */
    @Test
    void anOutdatedRequestInProgressIsNeitherCachedNorShared() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        AtomicInteger requests = new AtomicInteger();
        CachingAuthorizer slowly = cache(request -> {
            String decidedBy = revision;
            if (requests.incrementAndGet() == 1) {
                await(slow);
            }
            return answer(decidedBy);
        });
        slowly.cache().received(Set.of("a-1"));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Decision> before = threads.submit(() -> slowly.authorize(ALICE));
            Awaitility.await().until(() -> requests.get() == 1);
            revision = "b-2";
            slowly.cache().received(Set.of("b-2"));
            assertThat(slowly.authorize(ALICE).reason())
                    .as("requested after the notification")
                    .isEqualTo("decided by b-2");
            slow.countDown();
            assertThat(before.get(20, TimeUnit.SECONDS).reason()).isEqualTo("decided by a-1");
            assertThat(slowly.authorize(ALICE).reason()).isEqualTo("decided by b-2");
        }
        assertThat(requests).hasValue(2);
    }

    @Test
    void revisionsOfSeveralDecidersCoexist() {
        cache.cache().received(Set.of("a-1"));
        decide(ALICE);
        assertThat(cache.cache().received(Set.of("a-1", "b-1"))).isFalse();
        assertThat(cache.cached(ALICE)).isPresent();
        revision = "b-1";
        decide(BOB);
        assertThat(cache.cached(BOB)).isPresent();
        assertThat(cache.cache().received(Set.of("a-2", "b-1"))).isTrue();
        assertThat(cache.cached(ALICE)).as("out of date").isEmpty();
        assertThat(cache.cached(BOB)).isPresent();
        assertThat(cache.cache().received(Set.of())).isTrue();
        assertThat(cache.cached(BOB)).isEmpty();
        decide(BOB);
        assertThat(cache.cached(BOB)).as("no decider is known to be up to date").isEmpty();
    }

    @Test
    void answersBeforeADecidersFirstRevisionAreDropped() {
        cache.cache().received(Set.of("a-1"));
        revision = "b-1";
        decide(BOB);
        assertThat(cache.cache().received(Set.of("a-1", "b-1"))).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theWeightIncludesReasonAndRevision() {
        Revised<Decision> small = new Revised<>(new Allow(new WebhookGrant("https://decider", "r")), "a");
        Revised<Decision> large = new Revised<>(new Allow(new WebhookGrant("https://decider", "r")), "a".repeat(101));
        assertThat(RequestSize.bytes(ALICE, large) - RequestSize.bytes(ALICE, small))
                .isEqualTo(200);
    }

    /** While revisions arrive, no answer of another than the last received revision is returned, unless it was requested again. */
    @Property
    void noOutdatedDecisionIsCached(@ForAll @Size(max = 80) List<@IntRange(max = 9) Integer> steps) {
        AtomicInteger current = new AtomicInteger(1);
        AtomicInteger count = new AtomicInteger();
        CachingAuthorizer tested = cache(request -> {
            count.incrementAndGet();
            return answer("r" + current.get());
        });
        int notified = 0;
        for (int step : steps) {
            switch (step) {
                case 0, 1 -> current.incrementAndGet();
                case 2, 3 -> {
                    notified = current.get();
                    tested.cache().received(Set.of("r" + notified));
                }
                case 4 -> {
                    notified = 0;
                    tested.cache().disconnected();
                }
                default -> {
                    int before = count.get();
                    String reason = tested.authorize(request("user-" + step)).reason();
                    boolean remembered = count.get() == before;
                    if (remembered && notified > 0) {
                        assertThat(reason).isEqualTo("decided by r" + notified);
                    } else if (!remembered) {
                        assertThat(reason).isEqualTo("decided by r" + current.get());
                    }
                }
            }
        }
    }
}
