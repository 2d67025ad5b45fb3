package io.plat.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.client.cache.Revised;
import io.plat.client.remote.DeciderRevisionListener;
import io.plat.client.remote.Deciders;
import io.plat.client.remote.Endpoint;
import io.plat.client.remote.FakeDecider;
import io.plat.client.remote.TestPki;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Undecided;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.tls.pem.PemException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two deciders behind one name, at two addresses of this machine. */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class DecidersTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Attributes REQUEST =
            new Attributes(new UserInfo("alice", List.of()), new NonResourceAttributes("/x", "get"));
    private static final String ALLOWED =
            "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\",\"status\":{\"allowed\":true}}";

    @SuppressWarnings("NullAway.Init")
    private static SSLContext serving;

    @SuppressWarnings("NullAway.Init")
    private static SSLContext strange;

    @SuppressWarnings("NullAway.Init")
    private static SSLContext clientTls;

    private final List<InetAddress> addresses = new CopyOnWriteArrayList<>();
    private final List<FakeDecider> open = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private FakeDecider one;

    private @Nullable WebhookAuthorizer webhook;

    @BeforeAll
    static void makePki() throws PemException {
        TestPki pki = new TestPki();
        serving = pki.serving(pki.server("localhost"));
        clientTls = pki.clientContext(pki.client("server-1"));
        TestPki other = new TestPki();
        strange = other.serving(other.server("localhost"));
    }

    @BeforeEach
    void start() throws IOException {
        one = new FakeDecider(serving, FakeDecider.json("200 OK", ALLOWED));
        open.add(one);
        addresses.add(address(1));
    }

    @AfterEach
    void stop() throws IOException {
        if (webhook != null) {
            webhook.close();
        }
        for (FakeDecider decider : open) {
            decider.close();
        }
    }

    private static InetAddress address(int last) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    }

    private FakeDecider second(SSLContext tls, FakeDecider.Script... scripts) throws IOException {
        FakeDecider decider = new FakeDecider(tls, address(2), one.url().getPort(), scripts);
        open.add(decider);
        if (!addresses.contains(address(2))) {
            addresses.add(address(2));
        }
        return decider;
    }

    private WebhookAuthorizer webhook(Duration deadline) {
        WebhookAuthorizer made = new WebhookAuthorizer(
                new Endpoint(one.url(), () -> clientTls, null),
                new WebhookAuthorizer.Settings(ReviewVersion.K8S_V1, deadline),
                Deciders.Timing.REAL,
                host -> {
                    assertThat(host).isEqualTo("localhost");
                    if (addresses.isEmpty()) {
                        throw new UnknownHostException(host);
                    }
                    return addresses;
                });
        webhook = made;
        return made;
    }

    private static void allowed(WebhookAuthorizer authorizer, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(authorizer.authorize(REQUEST)).isInstanceOf(Allow.class);
        }
    }

    @Test
    void requestsAreBalanced() throws IOException {
        FakeDecider other = second(serving, FakeDecider.json("200 OK", ALLOWED));
        allowed(webhook(LONG), 60);
        assertThat(one.requests).hasSizeBetween(10, 50);
        assertThat(other.requests).hasSizeBetween(10, 50);
    }

    @Test
    void aDeadDeciderIsEjectedAndRecovers() throws IOException {
        FakeDecider other = second(serving, FakeDecider.json("200 OK", ALLOWED));
        WebhookAuthorizer authorizer = webhook(LONG);
        allowed(authorizer, 40);
        other.close();
        allowed(authorizer, 40);
        assertThat(authorizer.deciders().isAvailable("127.0.0.2")).isFalse();
        assertThat(authorizer.deciders().isAvailable("127.0.0.1")).isTrue();
        FakeDecider again = second(serving, FakeDecider.json("200 OK", ALLOWED));
        await().until(() -> {
            allowed(authorizer, 1);
            return again.requests.size() > 3;
        });
        assertThat(authorizer.deciders().isAvailable("127.0.0.2")).isTrue();
    }

    @Test
    void aStuckDeciderFailsOver() throws IOException {
        FakeDecider other = second(serving, FakeDecider.silence(""));
        WebhookAuthorizer authorizer = webhook(Duration.ofMillis(1500));
        await().until(() -> {
            allowed(authorizer, 1);
            return !other.requests.isEmpty();
        });
        int stuck = other.requests.size();
        long begin = System.nanoTime();
        // Probed periodically, with a short timeout.
        allowed(authorizer, 5);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(1500));
        assertThat(other.requests.size() - stuck).isLessThanOrEqualTo(2);
    }

    @Test
    void anUnavailableDeciderFailsOver() throws IOException {
        FakeDecider other = second(serving, FakeDecider.json("503 Service Unavailable", ""));
        WebhookAuthorizer authorizer = webhook(LONG);
        allowed(authorizer, 20);
        assertThat(other.requests).as("it is not used").hasSizeBetween(1, 3);
        assertThat(authorizer.deciders().isAvailable("127.0.0.2")).isFalse();
    }

    /** Responses that are not decisions: of a decider with other certificates or client names, of another version, behind a proxy, or hostile. */
    static Stream<FakeDecider.Script> refusals() {
        return Stream.concat(
                Stream.of(302, 400, 401, 403, 408, 429, 500).map(status -> FakeDecider.json(status + " Refused", "")),
                Stream.of(
                        FakeDecider.json("200 OK", "{}"),
                        FakeDecider.json("200 OK", ALLOWED.replace("true", "\"true\"")),
                        FakeDecider.http("200 OK", "Content-Type: text/html\r\n", ALLOWED)));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aDeciderThatNeverDecidesIsEjected(FakeDecider.Script refusal) throws IOException {
        FakeDecider other = second(serving, refusal);
        WebhookAuthorizer authorizer = webhook(LONG);
        allowed(authorizer, 40);
        assertThat(other.requests).hasSizeBetween(5, 25);
        assertThat(authorizer.deciders().isAvailable("127.0.0.2")).isFalse();
    }

    @Test
    void aDeciderThatDecidesAgainRecovers() throws IOException {
        FakeDecider.Script refusal = FakeDecider.json("403 Forbidden", "");
        AtomicBoolean decides = new AtomicBoolean();
        FakeDecider.Script decision = FakeDecider.json("200 OK", ALLOWED);
        FakeDecider other = second(
                serving, (connection, request) -> (decides.get() ? decision : refusal).answer(connection, request));
        WebhookAuthorizer authorizer = webhook(LONG);
        allowed(authorizer, 40);
        assertThat(other.requests).hasSizeGreaterThan(4);
        assertThat(authorizer.deciders().isAvailable("127.0.0.2")).isFalse();
        decides.set(true);
        await().until(() -> {
            allowed(authorizer, 1);
            return authorizer.deciders().isAvailable("127.0.0.2");
        });
    }

    @Test
    void refusedRequestsDoNotEjectADeciderThatDecides() throws IOException {
        AtomicInteger count = new AtomicInteger();
        FakeDecider.Script refusal = FakeDecider.json("400 Bad Request", "");
        FakeDecider.Script decision = FakeDecider.json("200 OK", ALLOWED);
        FakeDecider other = second(
                serving,
                (connection, request) ->
                        (count.incrementAndGet() % 5 == 0 ? decision : refusal).answer(connection, request));
        WebhookAuthorizer authorizer = webhook(LONG);
        allowed(authorizer, 100);
        assertThat(other.requests).hasSizeGreaterThan(20);
        assertThat(authorizer.deciders().isAvailable("127.0.0.2")).isTrue();
    }

    @Test
    void refusedRequestsEjectAllDecidersButOne() throws IOException {
        FakeDecider.Script refusal = FakeDecider.json("400 Bad Request", "");
        one.close();
        one = new FakeDecider(serving, refusal);
        open.add(one);
        second(serving, refusal);
        WebhookAuthorizer authorizer = webhook(LONG);
        for (int i = 0; i < 40; i++) {
            assertThat(authorizer.authorize(REQUEST)).isInstanceOf(Undecided.class);
        }
        assertThat(List.of("127.0.0.1", "127.0.0.2").stream().filter(authorizer.deciders()::isAvailable))
                .hasSize(1);
    }

    @Test
    void anUntrustedDeciderReceivesNoRequest() throws IOException {
        FakeDecider other = second(strange, FakeDecider.json("200 OK", ALLOWED));
        WebhookAuthorizer authorizer = webhook(LONG);
        allowed(authorizer, 20);
        assertThat(other.requests).isEmpty();
        assertThat(authorizer.deciders().isAvailable("127.0.0.2")).isFalse();
    }

    @Test
    void aRefusedRequestIsSentToOneOtherDecider() throws IOException {
        FakeDecider.Script refusal = FakeDecider.json("403 Forbidden", "");
        one.close();
        one = new FakeDecider(serving, refusal);
        open.add(one);
        addresses.add(address(2));
        addresses.add(address(3));
        for (int last = 2; last <= 3; last++) {
            open.add(new FakeDecider(serving, address(last), one.url().getPort(), refusal));
        }
        assertThat(webhook(LONG).authorize(REQUEST)).isInstanceOf(Undecided.class);
        assertThat(open.stream().mapToInt(decider -> decider.requests.size()).sum())
                .isEqualTo(2);
    }

    @Test
    void changedAddressesAreUsed() throws IOException {
        WebhookAuthorizer authorizer = webhook(LONG);
        allowed(authorizer, 3);
        FakeDecider other = second(serving, FakeDecider.json("200 OK", ALLOWED));
        List<String> reported = new CopyOnWriteArrayList<>();
        authorizer.deciders().onAddress(reported::add);
        authorizer.deciders().lookUp();
        allowed(authorizer, 30);
        assertThat(other.requests).isNotEmpty();
        assertThat(reported).containsExactly("127.0.0.1", "127.0.0.2");
        addresses.remove(address(1));
        authorizer.deciders().lookUp();
        int before = one.requests.size();
        allowed(authorizer, 20);
        assertThat(one.requests).hasSize(before);
        assertThat(authorizer.deciders().isAvailable("127.0.0.1")).isFalse();
        addresses.clear();
        authorizer.deciders().lookUp();
        allowed(authorizer, 1);
    }

    @Test
    void aNameWithoutAddressesIsAFailure() {
        addresses.clear();
        Decision decision = webhook(Duration.ofSeconds(5)).authorize(REQUEST);
        assertThat(decision).isInstanceOf(Undecided.class);
        assertThat(decision.reason()).contains("unknown host");
    }

    @Test
    void slowNameResolutionRespectsTheDeadline() {
        CountDownLatch resolvable = new CountDownLatch(1);
        WebhookAuthorizer authorizer = new WebhookAuthorizer(
                new Endpoint(one.url(), () -> clientTls, null),
                new WebhookAuthorizer.Settings(ReviewVersion.K8S_V1, Duration.ofMillis(500)),
                Deciders.Timing.REAL,
                host -> {
                    try {
                        resolvable.await();
                    } catch (InterruptedException e) {
                        throw new UnknownHostException(host);
                    }
                    return addresses;
                });
        webhook = authorizer;
        assertThat(authorizer.authorize(REQUEST).reason()).contains("no address in time");
        resolvable.countDown();
        await().until(() -> authorizer.authorize(REQUEST) instanceof Allow);
    }

    @Test
    void theFailureOfAllDecidersNamesThem() throws IOException {
        second(serving, FakeDecider.json("200 OK", ALLOWED));
        for (FakeDecider decider : open) {
            decider.close();
        }
        Decision decision = webhook(Duration.ofSeconds(5)).authorize(REQUEST);
        assertThat(decision.reason()).containsPattern("127\\.0\\.0\\.[12]: cannot connect");
    }

    /** Sends given revisions, and responds by the last one. */
    private static final class RevisionScript implements FakeDecider.Script {
        private final BlockingQueue<String> revisions = new LinkedBlockingQueue<>();
        private volatile String policy;

        RevisionScript(String first) {
            policy = first;
            revisions.add(first);
        }

        void change(String next) {
            policy = next;
            revisions.add(next);
        }

        @Override
        public boolean answer(javax.net.ssl.SSLSocket connection, FakeDecider.Request request) throws IOException {
            if (!request.head().startsWith("GET /revisions")) {
                return FakeDecider.http(
                                "200 OK",
                                "Content-Type: application/json\r\nPolicy-Revision: " + policy + "\r\n",
                                ALLOWED)
                        .answer(connection, request);
            }
            write(connection, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
            try {
                while (true) {
                    write(connection, "data: " + revisions.take() + "\n\n");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        private static void write(javax.net.ssl.SSLSocket connection, String text) throws IOException {
            connection.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void responsesOfAnOutdatedPolicyAreDiscarded() throws IOException {
        one.close();
        RevisionScript first = new RevisionScript("aaaaaaaaaaaa-1");
        RevisionScript second = new RevisionScript("aaaaaaaaaaaa-7");
        one = new FakeDecider(serving, first);
        open.add(one);
        FakeDecider other = second(serving, second);
        List<Set<String>> notifications = new CopyOnWriteArrayList<>();
        WebhookAuthorizer authorizer = webhook(Duration.ofSeconds(3));
        authorizer.deciders().follow(new DeciderRevisionListener() {
            @Override
            public boolean received(Set<String> revisions) {
                notifications.add(revisions);
                return true;
            }

            @Override
            public void disconnected() {}

            @Override
            public void changed() {}
        });
        await().until(() -> notifications.contains(Set.of("aaaaaaaaaaaa-1", "aaaaaaaaaaaa-7")));
        assertThat(revisions(authorizer, 40)).contains("aaaaaaaaaaaa-1", "aaaaaaaaaaaa-7");
        first.change("bbbbbbbbbbbb-2");
        await().until(() -> notifications.getLast().equals(Set.of("bbbbbbbbbbbb-2")));
        assertThat(revisions(authorizer, 40)).containsOnly("bbbbbbbbbbbb-2");
        one.close();
        Decision alone = authorizer.authorize(REQUEST);
        assertThat(alone).as("the newest revision was received").isInstanceOf(Undecided.class);
        second.change("bbbbbbbbbbbb-8");
        await().until(() -> notifications.getLast().contains("bbbbbbbbbbbb-8"));
        assertThat(revisions(authorizer, 5)).containsOnly("bbbbbbbbbbbb-8");
        assertThat(other.requests).isNotEmpty();
    }

    private static Set<String> revisions(WebhookAuthorizer authorizer, int times) {
        Set<String> revisions = new TreeSet<>();
        for (int i = 0; i < times; i++) {
            Revised<Decision> answer = authorizer.review(REQUEST);
            assertThat(answer.answer()).isInstanceOf(Allow.class);
            revisions.add(answer.revision());
        }
        return revisions;
    }
}
