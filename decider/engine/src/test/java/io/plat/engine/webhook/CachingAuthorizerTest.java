package io.plat.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.client.cache.CacheCounts;
import io.plat.client.cache.Revised;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Deny;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.explain.Explainer;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.SelectorAttributes.Requirement;
import io.plat.review.UserInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CachingAuthorizerTest {
    private static final Decision ALLOW = new Allow(new WebhookGrant("https://decider", ""));
    private static final Decision DENY = new Deny("never");
    private static final Decision NONE = new NoOpinion("no rule");
    private static final Decision FAILED = new Undecided(Cause.FAILED, "broken");
    private static final Decision NOT_LOADED = new Undecided(Cause.NOT_LOADED, "soon");

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger remoteCalls = new AtomicInteger();

    /** Number of requests for each decision: at once, again at once, after 29 s, after 31 s, after 299 s, after 301 s. */
    @ParameterizedTest(name = "{0} with {1} and {2}")
    @CsvSource({
        "allow, 300, 30, 1 1 1 1 1 2",
        "deny, 300, 30, 1 1 1 2 3 3",
        "none, 300, 30, 1 1 1 2 3 3",
        "failed, 300, 30, 1 2 3 4 5 6",
        "not loaded, 300, 30, 1 2 3 4 5 6",
        "allow, 0, 30, 1 2 3 4 5 6",
        "deny, 0, 30, 1 1 1 2 3 3",
        "allow, 300, 0, 1 1 1 1 1 2",
        "deny, 300, 0, 1 2 3 4 5 6",
        "allow, 0, 0, 1 2 3 4 5 6",
        "none, 0, 0, 1 2 3 4 5 6",
    })
    void decisionsAreCachedUntilTheyExpire(String decision, int allowed, int unallowed, String expected) {
        CachingAuthorizer cache = cache(counting(named(decision)), allowed, unallowed);
        List<String> counts = new ArrayList<>();
        for (int second : List.of(0, 0, 29, 31, 299, 301)) {
            now.set(Duration.ofSeconds(second).toNanos());
            assertThat(cache.authorize(request("alice"))).isEqualTo(named(decision));
            counts.add(String.valueOf(remoteCalls.get()));
        }
        assertThat(String.join(" ", counts)).isEqualTo(expected);
    }

    /** A client that may create reviews chooses the users in them. */
    @Test
    void reviewsOfManyUsersDoNotEvictTheDecisionsOfOthers() {
        var settings = new CachingAuthorizer.Settings(Duration.ofMinutes(5), Duration.ofMinutes(5), 100_000);
        Authorizer counting = counting(ALLOW);
        var cache = new CachingAuthorizer(
                request -> Revised.of(counting.authorize(request)),
                Explainer.of("Webhook", counting),
                settings,
                now::get);
        cache.authorize(request("bob"));
        for (int i = 0; i < 1_000; i++) {
            CachingAuthorizer.authorizeFor("mallory", cache, request("user-" + i));
        }
        int before = remoteCalls.get();
        cache.authorize(request("bob"));
        assertThat(remoteCalls).hasValue(before);
    }

    @Test
    void aHitNeverExtendsADecision() {
        CachingAuthorizer cache = cache(counting(ALLOW), 10, 10);
        for (int second = 0; second < 10; second++) {
            now.set(Duration.ofSeconds(second).toNanos());
            cache.authorize(request("alice"));
            assertThat(cache.cached(request("alice"))).contains(ALLOW);
        }
        assertThat(remoteCalls).hasValue(1);
        now.set(Duration.ofSeconds(10).toNanos());
        assertThat(cache.cached(request("alice"))).isEmpty();
        cache.authorize(request("alice"));
        assertThat(remoteCalls).hasValue(2);
    }

    @Test
    void aPeekSendsNoRequest() {
        CachingAuthorizer cache = cache(counting(ALLOW), 10, 10);
        assertThat(cache.cached(request("alice"))).isEmpty();
        assertThat(remoteCalls).hasValue(0);
        cache.authorize(request("alice"));
        assertThat(cache.cached(request("alice"))).contains(ALLOW);
        assertThat(cache.cached(request("bob"))).isEmpty();
        assertThat(remoteCalls).hasValue(1);
    }

    @Test
    void cachedDecisionsSendNoRequest() {
        CachingAuthorizer cache = cache(counting(ALLOW), 10, 10);
        assertThat(cache.decideFromMemory(request("alice"))).isNull();
        assertThat(cache.cache().counts().of(CacheCounts.Event.MISS))
                .as("counted per request")
                .isZero();
        cache.authorize(request("alice"));
        assertThat(cache.decideFromMemory(request("alice"))).isSameAs(ALLOW);
        assertThat(cache.cache().counts().of(CacheCounts.Event.HIT)).isEqualTo(1);
        assertThat(cache.decideFromMemory(request("bob"))).isNull();
        assertThat(cache.decideFromMemory(request("a".repeat(20_000)))).isNull();
        assertThat(remoteCalls).hasValue(1);
        now.set(Duration.ofSeconds(10).toNanos());
        assertThat(cache.decideFromMemory(request("alice")))
                .as("it has expired")
                .isNull();
    }

    @Test
    void theKeyIncludesEveryAttribute() {
        SelectorAttributes selector = new SelectorAttributes("", List.of(new Requirement("a", "In", List.of("b"))));
        UserInfo alice = new UserInfo("alice", "1", List.of("dev"), Map.of("k", List.of("v")));
        ResourceAttributes pods =
                new ResourceAttributes("ns", "get", "apps", "v1", "pods", "log", "x", selector, selector);
        List<Attributes> requests = List.of(
                new Attributes(alice, pods),
                new Attributes(new UserInfo("bob", "1", List.of("dev"), Map.of("k", List.of("v"))), pods),
                new Attributes(new UserInfo("alice", "2", List.of("dev"), Map.of("k", List.of("v"))), pods),
                new Attributes(new UserInfo("alice", "1", List.of("dev", "ops"), Map.of("k", List.of("v"))), pods),
                new Attributes(new UserInfo("alice", "1", List.of("dev"), Map.of("k", List.of("w"))), pods),
                new Attributes(
                        alice,
                        new ResourceAttributes("n2", "get", "apps", "v1", "pods", "log", "x", selector, selector)),
                new Attributes(
                        alice,
                        new ResourceAttributes("ns", "list", "apps", "v1", "pods", "log", "x", selector, selector)),
                new Attributes(
                        alice, new ResourceAttributes("ns", "get", "", "v1", "pods", "log", "x", selector, selector)),
                new Attributes(
                        alice,
                        new ResourceAttributes("ns", "get", "apps", "v2", "pods", "log", "x", selector, selector)),
                new Attributes(
                        alice,
                        new ResourceAttributes("ns", "get", "apps", "v1", "jobs", "log", "x", selector, selector)),
                new Attributes(
                        alice, new ResourceAttributes("ns", "get", "apps", "v1", "pods", "", "x", selector, selector)),
                new Attributes(
                        alice,
                        new ResourceAttributes("ns", "get", "apps", "v1", "pods", "log", "y", selector, selector)),
                new Attributes(
                        alice, new ResourceAttributes("ns", "get", "apps", "v1", "pods", "log", "x", null, selector)),
                new Attributes(
                        alice, new ResourceAttributes("ns", "get", "apps", "v1", "pods", "log", "x", selector, null)),
                new Attributes(alice, new NonResourceAttributes("/x", "get")),
                new Attributes(alice, new NonResourceAttributes("/x", "post")));
        CachingAuthorizer cache = cache(counting(ALLOW), 10, 10);
        requests.forEach(cache::authorize);
        requests.forEach(cache::authorize);
        assertThat(remoteCalls).hasValue(requests.size());
    }

    @Test
    void hugeRequestsAreNotCached() {
        CachingAuthorizer cache = cache(counting(ALLOW), 10, 10);
        String huge = "x".repeat(10_001);
        SelectorAttributes selector = new SelectorAttributes("", List.of(new Requirement("a", "In", List.of(huge))));
        for (Attributes request : List.of(
                request(huge),
                new Attributes(new UserInfo("", "", List.of(huge), Map.of()), new NonResourceAttributes("", "")),
                new Attributes(new UserInfo("a", Collections.nCopies(400, "")), new NonResourceAttributes("", "")),
                new Attributes(
                        new UserInfo("a", "", List.of(), Map.of(huge, List.of())), new NonResourceAttributes("", "")),
                new Attributes(new UserInfo("a", List.of()), new NonResourceAttributes(huge, "")),
                new Attributes(
                        new UserInfo("a", List.of()),
                        new ResourceAttributes("", "", "", "", "", "", "", selector, null)))) {
            remoteCalls.set(0);
            assertThat(cache.authorize(request)).isEqualTo(ALLOW);
            assertThat(cache.authorize(request)).isEqualTo(ALLOW);
            assertThat(cache.cached(request)).isEmpty();
            assertThat(remoteCalls).hasValue(2);
        }
    }

    @Test
    void memoryIsBounded() {
        CachingAuthorizer cache = new CachingAuthorizer(
                request -> Revised.of(counting(ALLOW).authorize(request)),
                Explainer.of("Webhook", counting(ALLOW)),
                new CachingAuthorizer.Settings(Duration.ofHours(1), Duration.ofHours(1), 100_000),
                now::get);
        for (int i = 0; i < 2_000; i++) {
            cache.authorize(request("user-" + i));
        }
        long kept = IntStream.range(0, 2_000)
                .filter(i -> cache.cached(request("user-" + i)).isPresent())
                .count();
        assertThat(kept).isBetween(20L, 130L);
    }

    @Test
    void concurrentEqualRequestsAreSentOnce() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        CachingAuthorizer cache = cache(blocking(answer, ALLOW), 10, 10);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Decision>> decisions = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                decisions.add(threads.submit(() -> cache.authorize(request("alice"))));
            }
            Awaitility.await().until(() -> remoteCalls.get() == 1);
            assertThat(cache.cached(request("alice"))).isEmpty();
            answer.countDown();
            for (Future<Decision> decision : decisions) {
                assertThat(decision.get(20, TimeUnit.SECONDS)).isEqualTo(ALLOW);
            }
        }
        assertThat(remoteCalls).hasValue(1);
    }

    @Test
    void withoutACacheEveryRequestIsSent() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        CachingAuthorizer cache = cache(blocking(answer, ALLOW), 0, 10);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Decision>> decisions = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                decisions.add(threads.submit(() -> cache.authorize(request("alice"))));
            }
            Awaitility.await().until(() -> remoteCalls.get() == 5);
            answer.countDown();
            for (Future<Decision> decision : decisions) {
                assertThat(decision.get(20, TimeUnit.SECONDS)).isEqualTo(ALLOW);
            }
        }
    }

    @Test
    void aFailureIsSharedByConcurrentRequestsOnly() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        CachingAuthorizer cache = cache(blocking(answer, FAILED), 10, 10);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Decision> first = threads.submit(() -> cache.authorize(request("alice")));
            Awaitility.await().until(() -> remoteCalls.get() == 1);
            answer.countDown();
            assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(FAILED);
        }
        assertThat(cache.authorize(request("alice"))).isEqualTo(FAILED);
        assertThat(remoteCalls).hasValue(2);
    }

    @Test
    void anExceptionReleasesWaitingRequests() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        Authorizer broken = attributes -> {
            blocking(answer, ALLOW).authorize(attributes);
            throw new IllegalStateException("bug");
        };
        CachingAuthorizer cache = cache(broken, 10, 10);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Decision> first = threads.submit(() -> cache.authorize(request("alice")));
            Awaitility.await().until(() -> remoteCalls.get() == 1);
            Thread[] second = new Thread[1];
            Future<Decision> waiting = threads.submit(() -> {
                second[0] = Thread.currentThread();
                return cache.authorize(request("alice"));
            });
            Awaitility.await().until(() -> second[0] != null && second[0].getState() == Thread.State.WAITING);
            answer.countDown();
            for (Future<Decision> each : List.of(first, waiting)) {
                assertThatThrownBy(() -> each.get(20, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasRootCauseMessage("bug");
            }
        }
        assertThat(remoteCalls).as("the waiting caller sends its own request").hasValue(2);
        assertThat(cache.cached(request("alice"))).isEmpty();
    }

    /** For any sequence of requests: every answer was decided within its lifetime, and undecided answers are not repeated. */
    @Property
    void noDecisionOutlivesItsTtl(
            @ForAll @Size(max = 60) List<@IntRange(max = 3_999) Integer> steps,
            @ForAll @IntRange(max = 5) int allowed,
            @ForAll @IntRange(max = 5) int unallowed) {
        AtomicLong seconds = new AtomicLong();
        AtomicInteger kind = new AtomicInteger();
        Authorizer remote = attributes -> switch (kind.get()) {
            case 0 -> new Allow(new WebhookGrant("https://decider", String.valueOf(seconds.get())));
            case 1 -> new NoOpinion(String.valueOf(seconds.get()));
            default -> new Undecided(Cause.FAILED, String.valueOf(seconds.get()));
        };
        CachingAuthorizer cache = new CachingAuthorizer(
                request -> Revised.of(remote.authorize(request)),
                Explainer.of("Webhook", remote),
                new CachingAuthorizer.Settings(Duration.ofSeconds(allowed), Duration.ofSeconds(unallowed)),
                () -> Duration.ofSeconds(seconds.get()).toNanos());
        for (int step : steps) {
            seconds.addAndGet(step % 4);
            kind.set(step / 4 % 3);
            Decision decision = cache.authorize(request("user-" + step / 12 % 3));
            long age = seconds.get() - Long.parseLong(decision.reason());
            switch (decision) {
                case Allow allow -> assertThat(age).isLessThan(Math.max(1, allowed));
                case NoOpinion none -> assertThat(age).isLessThan(Math.max(1, unallowed));
                case Deny deny -> throw new AssertionError("never answered");
                case Undecided undecided -> assertThat(age).isZero();
            }
        }
    }

    @Test
    void invalidSettingsAreABug() {
        assertThatThrownBy(() -> new CachingAuthorizer.Settings(Duration.ofSeconds(-1), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CachingAuthorizer.Settings(Duration.ZERO, Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CachingAuthorizer.Settings(Duration.ZERO, Duration.ZERO, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private CachingAuthorizer cache(Authorizer authorizer, int allowed, int unallowed) {
        return new CachingAuthorizer(
                request -> Revised.of(authorizer.authorize(request)),
                Explainer.of("Webhook", authorizer),
                new CachingAuthorizer.Settings(Duration.ofSeconds(allowed), Duration.ofSeconds(unallowed)),
                now::get);
    }

    private Authorizer counting(Decision decision) {
        return attributes -> {
            remoteCalls.incrementAndGet();
            return decision;
        };
    }

    private Authorizer blocking(CountDownLatch answer, Decision decision) {
        return attributes -> {
            remoteCalls.incrementAndGet();
            try {
                assertThat(answer.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return decision;
        };
    }

    private static Decision named(String name) {
        return switch (name) {
            case "allow" -> ALLOW;
            case "deny" -> DENY;
            case "none" -> NONE;
            case "failed" -> FAILED;
            case "not loaded" -> NOT_LOADED;
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Attributes request(String user) {
        return new Attributes(new UserInfo(user, List.of()), new NonResourceAttributes("/x", "get"));
    }
}
