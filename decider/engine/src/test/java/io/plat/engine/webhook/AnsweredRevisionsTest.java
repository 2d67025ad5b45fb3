package io.plat.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.client.remote.DeciderRevisionListener;
import io.plat.client.remote.Endpoint;
import io.plat.client.remote.FakeDecider;
import io.plat.client.remote.TestPki;
import io.plat.engine.Decision.Undecided;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.tls.pem.PemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers with a revision that the decider's revision stream has not sent. */
@Execution(ExecutionMode.CONCURRENT)
class AnsweredRevisionsTest {
    private static final String DIGEST = "0123456789ab";
    private static final String ANSWER =
            "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\",\"status\":{\"allowed\":true}}";

    @SuppressWarnings("NullAway.Init")
    private static SSLContext serving;

    @SuppressWarnings("NullAway.Init")
    private static SSLContext clientTls;

    private volatile String revision = "";

    @BeforeAll
    static void makePki() throws PemException {
        TestPki pki = new TestPki();
        serving = pki.serving(pki.server("localhost"));
        clientTls = pki.clientContext(pki.client("server-1"));
    }

    private static Attributes request(String user) {
        return new Attributes(new UserInfo(user, List.of()), new NonResourceAttributes("/x", "get"));
    }

    private FakeDecider.Script answering(int revisions) {
        return (connection, request) -> {
            boolean isReview = request.head().startsWith("POST");
            String head = isReview
                    ? "HTTP/1.1 200 OK\r\n" + (revision.isEmpty() ? "" : "Policy-Revision: " + revision + "\r\n")
                    : "HTTP/1.1 " + revisions + " No\r\n";
            String body = isReview ? ANSWER : "";
            connection
                    .getOutputStream()
                    .write((head + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            return true;
        };
    }

    private static WebhookAuthorizer webhook(FakeDecider decider) {
        return new WebhookAuthorizer(
                new Endpoint(decider.url(), () -> clientTls, null),
                new WebhookAuthorizer.Settings(ReviewVersion.K8S_V1, Duration.ofSeconds(20)));
    }

    private static CachingAuthorizer cache(WebhookAuthorizer webhook) {
        return new CachingAuthorizer(
                webhook::review,
                webhook,
                new CachingAuthorizer.Settings(Duration.ofMinutes(5), Duration.ofMinutes(5)),
                System::nanoTime);
    }

    /** Revision of the decider's response for alice, and for bob, and whether that evicts alice's. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "NONE",
            value = {
                "404, policy-a, policy-b, true",
                "403, policy-a, policy-b, true",
                "503, policy-a, policy-b, true",
                "429, policy-a, policy-b, true",
                "503, " + DIGEST + "-1, ba9876543210-1, true",
                "503, " + DIGEST + "-1, ba9876543210-2, true",
                "503, " + DIGEST + "-2, ba9876543210-1, true",
                "503, " + DIGEST + "-1, " + DIGEST + "-2, false",
                "503, " + DIGEST + "-2, " + DIGEST + "-1, false",
                "503, policy-a, policy-a, false",
                "503, policy-a, NONE, false",
                "503, NONE, policy-a, false",
            })
    void aResponseWithAnotherPolicyInvalidatesTheCache(int stream, String first, String second, boolean dropped)
            throws IOException {
        AtomicInteger changes = new AtomicInteger();
        try (FakeDecider decider = new FakeDecider(serving, answering(stream));
                WebhookAuthorizer webhook = webhook(decider)) {
            CachingAuthorizer cache = cache(webhook);
            webhook.deciders().follow(new DeciderRevisionListener() {
                @Override
                public boolean received(Set<String> revisions) {
                    return cache.cache().received(revisions);
                }

                @Override
                public void disconnected() {
                    cache.cache().disconnected();
                }

                @Override
                public void changed() {
                    changes.incrementAndGet();
                    cache.cache().changed();
                }
            });
            await().until(() -> decider.requests.stream()
                    .anyMatch(isReview -> isReview.head().startsWith("GET")));
            revision = first == null ? "" : first;
            cache.authorize(request("alice"));
            assertThat(cache.cached(request("alice"))).isPresent();
            revision = second == null ? "" : second;
            cache.authorize(request("bob"));
            assertThat(cache.cached(request("alice")).isEmpty()).isEqualTo(dropped);
            assertThat(changes).hasValue(dropped ? 1 : 0);
            cache.authorize(request("alice"));
            cache.authorize(request("bob"));
            assertThat(cache.cached(request("alice"))).isPresent();
            assertThat(cache.cached(request("bob"))).isPresent();
            assertThat(changes).as("the same policy again").hasValue(dropped ? 1 : 0);
        }
    }

    /** Sends parts of a revision stream, and answers by a revision that it has not sent. */
    private FakeDecider.Script streaming(BlockingQueue<String> parts) {
        FakeDecider.Script answering = answering(200);
        return (connection, request) -> {
            if (request.head().startsWith("POST")) {
                return answering.answer(connection, request);
            }
            String next = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
            try {
                while (true) {
                    connection.getOutputStream().write(next.getBytes(StandardCharsets.US_ASCII));
                    next = parts.take();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        };
    }

    @Test
    void aResponseAheadOfTheStreamInvalidatesTheCache() throws IOException {
        BlockingQueue<String> parts = new LinkedBlockingQueue<>(List.of("data: " + DIGEST + "-1\n\n"));
        try (FakeDecider decider = new FakeDecider(serving, streaming(parts));
                WebhookAuthorizer webhook = webhook(decider)) {
            CachingAuthorizer cache = cache(webhook);
            webhook.deciders().follow(cache.cache());
            await().until(webhook.deciders()::isConnected);
            revision = DIGEST + "-1";
            assertThat(isCached(cache, "alice")).isTrue();
            revision = DIGEST + "-2";
            assertThat(isCached(cache, "bob"))
                    .as("revision unknown to the stream")
                    .isFalse();
            assertThat(cache.cached(request("alice"))).as("same policy").isPresent();

            revision = "ba9876543210-3";
            assertThat(isCached(cache, "carol")).isFalse();
            assertThat(cache.cached(request("alice"))).as("another policy").isEmpty();
            revision = DIGEST + "-1";
            assertThat(isCached(cache, "carol")).as("late answer").isFalse();
            parts.add(": heartbeat\n\n");
            await().untilAsserted(() -> assertThat(isCached(cache, "carol"))
                    .as("denied by the stream")
                    .isTrue());

            revision = "ba9876543210-3";
            assertThat(isCached(cache, "dave")).isFalse();
            assertThat(cache.cached(request("carol"))).isEmpty();
            parts.add("data: ba9876543210-3\n\n");
            await().untilAsserted(() -> assertThat(isCached(cache, "dave"))
                    .as("confirmed by the stream")
                    .isTrue());
            revision = DIGEST + "-1";
            assertThat(cache.authorize(request("carol"))).as("outdated").isInstanceOf(Undecided.class);
            assertThat(cache.cached(request("dave"))).isPresent();
        }
    }

    private static boolean isCached(CachingAuthorizer cache, String user) {
        cache.authorize(request(user));
        return cache.cached(request(user)).isPresent();
    }
}
