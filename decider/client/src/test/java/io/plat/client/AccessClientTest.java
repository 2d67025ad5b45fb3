package io.plat.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.plat.client.cache.CacheCounts.Event;
import io.plat.client.metrics.MicrometerListener;
import io.plat.client.metrics.OpenTelemetryListener;
import io.plat.client.remote.FakeDecider;
import io.plat.client.remote.TestPki;
import io.plat.tls.pem.PemException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class AccessClientTest {
    private static final Access ALICE =
            Access.resource("get", "", "pods").in("team-a").by("alice");
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String TYPE = "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\",";
    private static final String ALLOWED = TYPE + "\"status\":{\"allowed\":true,\"reason\":\"rule 7\"}}";
    private static final String DENIED = TYPE + "\"status\":{\"allowed\":false}}";

    @SuppressWarnings("NullAway.Init")
    private static SSLContext serving;

    @SuppressWarnings("NullAway.Init")
    private static SSLContext clientTls;

    private final AtomicInteger requests = new AtomicInteger();

    @BeforeAll
    static void makePki() throws PemException {
        TestPki pki = new TestPki();
        serving = pki.serving(pki.server("localhost"));
        clientTls = pki.clientContext(pki.client("server-1"));
    }

    private static AccessClient.Builder client(FakeDecider... deciders) {
        AccessClient.Builder builder =
                AccessClient.builder().tls(() -> clientTls).deadline(LONG);
        for (FakeDecider decider : deciders) {
            builder.decider(decider.url());
        }
        return builder;
    }

    /** Answers reviews with a script, and has no revision stream. */
    private FakeDecider.Script reviews(FakeDecider.Script answer) {
        return (connection, request) -> {
            if (request.head().startsWith("GET")) {
                return FakeDecider.json("404 Not Found", "").answer(connection, request);
            }
            requests.incrementAndGet();
            return answer.answer(connection, request);
        };
    }

    @Test
    void answersAreCached() throws Exception {
        try (FakeDecider decider = new FakeDecider(serving, reviews(FakeDecider.json("201 Created", ALLOWED)));
                AccessClient client = client(decider).staleAfter(LONG).build()) {
            assertThat(client.check(ALICE)).isEqualTo(new Answer(true, "rule 7", ""));
            assertThat(client.check(ALICE).allowed()).isTrue();
            assertThat(client.checkAsync(ALICE).toCompletableFuture()).isCompletedWithValueMatching(Answer::allowed);
            assertThat(requests).hasValue(1);
            assertThat(client.cacheCounts().of(Event.HIT)).isEqualTo(2);
        }
    }

    /** Anything but a response in time is an exception. */
    @ParameterizedTest
    @ValueSource(strings = {"500", "403", "200", "302", "garbage", "silence"})
    void everythingElseIsUndecided(String kind) throws Exception {
        FakeDecider.Script script = switch (kind) {
            case "garbage" -> FakeDecider.raw("\u0000\u0001\r\n\r\n");
            case "silence" -> FakeDecider.silence("");
            default -> FakeDecider.json(kind + " X", "{\"status\":{\"allowed\":true}}");
        };
        try (FakeDecider decider = new FakeDecider(serving, reviews(script));
                AccessClient client =
                        client(decider).deadline(Duration.ofMillis(700)).build()) {
            long begin = System.nanoTime();
            assertThatThrownBy(() -> client.check(ALICE))
                    .isInstanceOf(UndecidedException.class)
                    .hasMessageStartingWith(decider.url() + ": ")
                    .hasMessageNotContainingAny("\n", "java.");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
            assertThatThrownBy(
                            () -> client.checkAsync(ALICE).toCompletableFuture().join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(UndecidedException.class);
        }
    }

    @Test
    void concurrentEqualChecksAreOneRequest() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        FakeDecider.Script waiting = (connection, request) -> {
            try {
                answered.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return FakeDecider.json("200 OK", ALLOWED).answer(connection, request);
        };
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (FakeDecider decider = new FakeDecider(serving, reviews(waiting));
                AccessClient client = client(decider).build()) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                answers.add(
                        i % 2 == 0
                                ? threads.submit(() -> client.check(ALICE))
                                : client.checkAsync(ALICE).toCompletableFuture());
            }
            await().until(() -> client.cacheCounts().of(Event.MISS) == 8 && requests.get() == 1);
            answered.countDown();
            for (Future<Answer> answer : answers) {
                assertThat(answer.get(20, TimeUnit.SECONDS).allowed()).isTrue();
            }
            assertThat(requests).hasValue(1);
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void withoutARevisionStreamAllowsBecomeStale() throws Exception {
        FakeDecider.Script script = (connection, request) -> FakeDecider.json(
                        "200 OK", request.body().contains("alice") ? ALLOWED : DENIED)
                .answer(connection, request);
        try (FakeDecider decider = new FakeDecider(serving, reviews(script));
                AccessClient client =
                        client(decider).staleAfter(Duration.ofMillis(200)).build()) {
            Access bob = Access.path("get", "/x").by("bob");
            client.check(bob);
            client.check(ALICE);
            await().untilAsserted(() -> {
                client.check(ALICE);
                assertThat(requests.get()).isGreaterThanOrEqualTo(3);
            });
            int before = requests.get();
            client.check(bob);
            assertThat(requests).hasValue(before);
        }
    }

    @Test
    void aFailedDeciderIsProbedByOneRequestAtATime() throws Exception {
        FakeDecider.Script failing = reviews(FakeDecider.json("503 Service Unavailable", ""));
        FakeDecider.Script fine = reviews(FakeDecider.json("200 OK", ALLOWED));
        boolean[] up = {false};
        try (FakeDecider decider = new FakeDecider(
                        serving, (connection, request) -> (up[0] ? fine : failing).answer(connection, request));
                AccessClient client = client(decider).build()) {
            assertThatThrownBy(() -> client.check(ALICE)).hasMessageContaining("HTTP 503");
            for (int i = 0; i < 100; i++) {
                assertThatThrownBy(() -> client.check(ALICE)).isInstanceOf(UndecidedException.class);
            }
            assertThat(requests.get()).as("requests while the circuit is open").isLessThan(10);
            up[0] = true;
            await().ignoreExceptions().until(() -> client.check(ALICE).allowed());
        }
    }

    @Test
    void anotherDeciderTakesOver() throws Exception {
        try (FakeDecider one = new FakeDecider(serving, reviews(FakeDecider.reset()));
                FakeDecider other = new FakeDecider(serving, reviews(FakeDecider.json("200 OK", ALLOWED)));
                AccessClient client = client(one, other)
                        .cacheFor(Duration.ZERO, Duration.ZERO)
                        .build()) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.check(ALICE).allowed()).isTrue();
            }
        }
    }

    @Test
    void aFullExecutorIsUndecided() throws Exception {
        try (FakeDecider decider = new FakeDecider(serving, reviews(FakeDecider.json("200 OK", ALLOWED)));
                AccessClient full = client(decider)
                        .executor(task -> {
                            throw new RejectedExecutionException();
                        })
                        .build();
                AccessClient stuck = client(decider)
                        .executor(task -> {})
                        .deadline(Duration.ofMillis(500))
                        .build()) {
            assertUndecided(full.checkAsync(ALICE), "too many checks are waiting");
            assertUndecided(stuck.checkAsync(ALICE), "no answer in time");
            await("on this thread")
                    .ignoreExceptions()
                    .until(() -> stuck.check(ALICE).allowed());
        }
    }

    private static void assertUndecided(CompletionStage<Answer> answer, String reason) {
        assertThatThrownBy(() -> answer.toCompletableFuture().get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(UndecidedException.class)
                .hasMessage(reason);
    }

    @Test
    void anOverdueCheckSendsNoRequest() throws Exception {
        List<Runnable> waiting = new ArrayList<>();
        try (FakeDecider decider = new FakeDecider(serving, reviews(FakeDecider.json("200 OK", ALLOWED)));
                AccessClient client = client(decider)
                        .executor(waiting::add)
                        .deadline(Duration.ofMillis(100))
                        .build()) {
            assertUndecided(client.checkAsync(ALICE), "no answer in time");
            waiting.forEach(Runnable::run);
            assertThat(waiting).hasSize(1);
            assertThat(requests).hasValue(0);
        }
    }

    @Test
    void withoutACacheEveryCheckIsSent() throws Exception {
        try (FakeDecider decider = new FakeDecider(serving, reviews(FakeDecider.json("200 OK", ALLOWED)))) {
            List<Runnable> waiting = new ArrayList<>();
            AccessClient.Builder settings =
                    client(decider).cacheFor(Duration.ZERO, Duration.ZERO).executor(waiting::add);
            try (AccessClient client = settings.build()) {
                // Later settings only apply to other clients.
                settings.cacheFor(LONG, LONG).staleAfter(LONG).deadline(Duration.ofNanos(1));
                List<CompletionStage<Answer>> answers = List.of(client.checkAsync(ALICE), client.checkAsync(ALICE));
                waiting.forEach(Runnable::run);
                for (CompletionStage<Answer> answer : answers) {
                    assertThat(answer.toCompletableFuture()).isCompletedWithValueMatching(Answer::allowed);
                }
                assertThat(requests).hasValue(2);
            }
        }
    }

    @Test
    void aCheckIsSentAfterAnEqualOneWasInterrupted() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        FakeDecider.Script waiting = (connection, request) -> {
            try {
                answered.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return FakeDecider.json("200 OK", ALLOWED).answer(connection, request);
        };
        try (FakeDecider decider = new FakeDecider(serving, reviews(waiting));
                AccessClient client = client(decider).build();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            AtomicReference<Thread> thread = new AtomicReference<>();
            Future<Answer> first = threads.submit(() -> {
                thread.set(Thread.currentThread());
                return client.check(ALICE);
            });
            await().until(() -> requests.get() == 1);
            Future<Answer> second = threads.submit(() -> client.check(ALICE));
            await().until(() -> client.cacheCounts().of(Event.MISS) == 2);
            Objects.requireNonNull(thread.get()).interrupt();
            assertThatThrownBy(() -> first.get(20, TimeUnit.SECONDS)).hasRootCauseMessage("interrupted");
            await().until(() -> requests.get() == 2);
            answered.countDown();
            assertThat(second.get(20, TimeUnit.SECONDS).allowed()).isTrue();
        }
    }

    @Test
    void theDeciderThatFailedIsNamed() throws Exception {
        try (FakeDecider one = new FakeDecider(serving, reviews(FakeDecider.json("401 Unauthorized", "")));
                FakeDecider other = new FakeDecider(serving, reviews(FakeDecider.json("403 Forbidden", "")));
                AccessClient client = client(one, other).build()) {
            String expected = "127.0.0.1:" + other.url().getPort() + ": HTTP 403";
            await().untilAsserted(
                            () -> assertThatThrownBy(() -> client.check(ALICE)).hasMessage(expected));
        }
    }

    @Test
    void checksAreReportedToTheListener() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (FakeDecider decider = new FakeDecider(serving, reviews(FakeDecider.json("200 OK", ALLOWED)));
                AccessClient client = client(decider)
                        .listener(new MicrometerListener(registry))
                        .staleAfter(LONG)
                        .build();
                AccessClient traced = client(decider)
                        .listener(new OpenTelemetryListener(OpenTelemetry.noop().getMeter("test")))
                        .build()) {
            client.check(ALICE);
            client.check(ALICE);
            assertThat(registry.get("plat.client.check")
                            .tags("result", "allowed", "cached", "true")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("plat.client.request")
                            .tag("result", "success")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(client.checkAsync(ALICE).toCompletableFuture()).isDone();
            assertThat(registry.get("plat.client.check")
                            .tags("result", "allowed", "cached", "true")
                            .timer()
                            .count())
                    .isEqualTo(2);
            assertThat(traced.check(ALICE).allowed()).isTrue();
        }
    }

    @Test
    void missingSettingsAreReported() {
        assertThatThrownBy(() -> AccessClient.builder().build()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AccessClient.builder()
                        .decider(URI.create("http://localhost"))
                        .tls(() -> clientTls)
                        .build())
                .hasMessageContaining("https");
    }

    @Test
    void classesAreOfJava17() throws IOException {
        try (InputStream in = Objects.requireNonNull(AccessClient.class.getResourceAsStream("AccessClient.class"))) {
            DataInputStream data = new DataInputStream(in);
            assertThat(data.readInt()).isEqualTo(0xCAFEBABE);
            data.readUnsignedShort();
            assertThat(data.readUnsignedShort()).isEqualTo(61);
        }
        assertThat(new String(ReviewFormat.encode(ALICE), StandardCharsets.UTF_8))
                .contains("\"user\":\"alice\"");
    }
}
