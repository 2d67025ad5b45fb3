package io.plat.client.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tls.pem.PemException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class RevisionStreamTest {
    private static final String HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final RevisionStream.Timing QUICK = new RevisionStream.Timing(
            new Backoff(Duration.ofMillis(10), 2, 0.2, 3),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofMillis(100),
            Duration.ofMillis(50),
            () -> 0.5);

    /** Long enough for unbounded backoff to exceed one second. */
    private static final Duration AWAY = Duration.ofMillis(2500);

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int ATTEMPTS = 3;

    @SuppressWarnings("NullAway.Init")
    private static SSLContext serving;

    @SuppressWarnings("NullAway.Init")
    private static SSLContext clientTls;

    private final List<String> notifications = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void makePki() throws PemException {
        TestPki pki = new TestPki();
        serving = pki.serving(pki.server("localhost"));
        clientTls = pki.clientContext(pki.client("server-1"));
    }

    private final class Hearing implements RevisionStream.Listener {
        @Override
        public void received(String revision) {
            notifications.add(revision);
        }

        @Override
        public void disconnected() {
            notifications.add("-");
        }
    }

    /** Long enough for a machine that is busy with other tests. */
    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(30));
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    private static String event(String revision) {
        return chunk("id: " + revision + "\ndata: " + revision + "\n\n");
    }

    /** Sends events, and then waits for a signal to continue. */
    private static FakeDecider.Script events(CountDownLatch end, String... revisions) {
        return (connection, request) -> {
            StringBuilder text = new StringBuilder(HEAD);
            for (String revision : revisions) {
                text.append(event(revision));
            }
            connection.getOutputStream().write(text.toString().getBytes(StandardCharsets.US_ASCII));
            connection.getOutputStream().flush();
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return false;
        };
    }

    private void following(FakeDecider decider, ThrowingConsumer body) throws Exception {
        following(decider, InetAddress.getLoopbackAddress(), QUICK, body);
    }

    private void following(
            FakeDecider decider, InetAddress address, RevisionStream.Timing timing, ThrowingConsumer body)
            throws Exception {
        Endpoint endpoint = new Endpoint(decider.url(), () -> clientTls, null);
        try (ConnectionPool connections = new ConnectionPool(endpoint, address, Duration.ofSeconds(20));
                Deadlines deadlines = new Deadlines(HostProgram.DEFAULT);
                RevisionStream stream = new RevisionStream(
                        endpoint.revisions(), connections, deadlines, HostProgram.DEFAULT, new Hearing(), timing)) {
            stream.start();
            body.accept(stream);
        }
    }

    @FunctionalInterface
    private interface ThrowingConsumer {
        void accept(RevisionStream stream) throws Exception;
    }

    @Test
    void revisionsAndTheDisconnectionAreReportedInOrder() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        try (FakeDecider decider = new FakeDecider(serving, events(end, "a-1", "b-2", "c-3"), events(never, "d-4"))) {
            following(decider, stream -> {
                await().until(() -> notifications.equals(List.of("a-1", "b-2", "c-3")));
                await().until(stream::isConnected);
                end.countDown();
                await().until(() -> notifications.equals(List.of("a-1", "b-2", "c-3", "-", "d-4")));
                await().until(stream::isConnected);
                assertThat(decider.requests.getFirst().head())
                        .startsWith("GET /revisions HTTP/1.1")
                        .contains("Accept: text/event-stream");
                assertThat(decider.requests.getFirst().client()).contains("CN=server-1");
            });
            never.countDown();
        }
    }

    @Test
    void aSilentStreamIsClosed() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (FakeDecider decider = new FakeDecider(serving, events(never, "a-1"))) {
            following(
                    decider,
                    stream -> await().until(() -> notifications.size() >= 3
                            && notifications.subList(0, 3).equals(List.of("a-1", "-", "a-1"))));
            never.countDown();
        }
    }

    /** On a busy machine a heartbeat may be late: a later stream shows the same. */
    @Test
    void heartbeatsKeepAStreamOpen() throws Exception {
        FakeDecider.Script beating = (connection, request) -> {
            connection.getOutputStream().write((HEAD + event("a-1")).getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 12; i++) {
                await().pollDelay(Duration.ofMillis(100)).until(() -> true);
                connection.getOutputStream().write(chunk(":\n\n").getBytes(StandardCharsets.US_ASCII));
            }
            connection.getOutputStream().write(event("b-2").getBytes(StandardCharsets.US_ASCII));
            return false;
        };
        try (FakeDecider decider = new FakeDecider(serving, beating)) {
            following(
                    decider,
                    stream ->
                            await().until(() -> Collections.indexOfSubList(notifications, List.of("a-1", "b-2")) >= 0));
        }
    }

    /** Responses of a server without a stream, or without one at present: the connection is retried, and the listener is not notified. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno",
                "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 302 Found\r\nLocation: https://localhost/\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 7\r\n\r\ndata: a",
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 11\r\n\r\ndata: a b\n\n",
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 18\r\n\r\ndata: a\ndata: b\n\n",
                "nonsense\r\n\r\n",
                ""
            })
    void aDeciderWithoutAStreamIsRetried(String answer) throws Exception {
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.raw(answer))) {
            following(decider, stream -> {
                await().until(() -> decider.requests.size() >= 3);
                assertThat(stream.isConnected()).isFalse();
            });
        }
        assertThat(notifications).isEmpty();
    }

    @Test
    void anUnreachableDeciderIsConnectedOnceItReturns() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (FakeDecider decider = new FakeDecider(
                serving, FakeDecider.reset(), FakeDecider.json("503 Service Unavailable", ""), events(never, "a-1"))) {
            following(decider, stream -> await().until(() -> notifications.equals(List.of("a-1"))));
            never.countDown();
        }
    }

    /** Outages of a decider, each beginning with the end of a stream; then the decider returns. */
    private enum Outage {
        /** The port is closed. */
        REFUSED,
        /** A paused or unreachable process: connections are accepted, but no data is sent. */
        STUCK,
        /** A proxy in front of it responds. */
        BAD_GATEWAY,
        /** A proxy without a route to the decider responds. */
        NOT_FOUND,
        /** The response has a Retry-After, like that of a decider that is stopping. */
        UNAVAILABLE;

        private FakeDecider.Script script() {
            return switch (this) {
                case REFUSED -> FakeDecider.reset();
                case STUCK -> FakeDecider.silence("");
                case BAD_GATEWAY -> FakeDecider.json("502 Bad Gateway", "");
                case NOT_FOUND -> FakeDecider.json("404 Not Found", "");
                case UNAVAILABLE -> FakeDecider.http("503 Service Unavailable", "Retry-After: 60\r\n", "");
            };
        }
    }

    /** Repeated if it takes longer, as it may on a busy machine. */
    @ParameterizedTest
    @EnumSource(Outage.class)
    void theStreamReconnectsWithinASecondAfterAnyOutage(Outage outage) throws Exception {
        Duration taken = reconnection(outage);
        for (int i = 1; i < ATTEMPTS && taken.compareTo(SECOND) >= 0; i++) {
            taken = reconnection(outage);
        }
        assertThat(taken).isLessThan(SECOND);
    }

    /** Number of attempts during an outage of many times the maximum backoff, with real delays. */
    private Duration reconnection(Outage outage) throws Exception {
        notifications.clear();
        AtomicReference<Duration> taken = new AtomicReference<>();
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        // A separate address, so that no other process takes the port meanwhile.
        InetAddress apart = InetAddress.getByAddress(new byte[] {127, 0, 9, 7});
        FakeDecider decider = new FakeDecider(serving, apart, 0, events(end, "a-1"), outage.script());
        URI url = decider.url();
        try {
            following(decider, apart, RevisionStream.Timing.REAL, stream -> {
                await().until(() -> notifications.equals(List.of("a-1")));
                if (outage == Outage.REFUSED) {
                    decider.close();
                }
                end.countDown();
                await().until(() -> notifications.equals(List.of("a-1", "-")));
                await().pollDelay(AWAY).until(() -> true);
                decider.close();
                // A listener may hold the port for a moment after it was closed.
                try (FakeDecider _ = await().ignoreExceptions()
                        .until(
                                () -> new FakeDecider(serving, apart, url.getPort(), events(never, "b-2")),
                                opened -> true)) {
                    long back = System.nanoTime();
                    await().until(() -> notifications.equals(List.of("a-1", "-", "b-2")));
                    taken.set(Duration.ofNanos(System.nanoTime() - back));
                    never.countDown();
                }
            });
        } finally {
            decider.close();
        }
        return Objects.requireNonNull(taken.get());
    }

    @Test
    void delaysStayBelowASecond() {
        RevisionStream.Timing real = RevisionStream.Timing.REAL;
        Duration longest = real.backoff().after(real.backoff().attempts(), () -> 1);
        assertThat(longest).isLessThan(Duration.ofSeconds(1));
        assertThat(real.first().plus(real.backoff().after(1, () -> 1))).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void aResponseEndsTheDelay() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        RevisionStream.Timing slow = new RevisionStream.Timing(
                new Backoff(Duration.ofMillis(10), 10_000, 0, 2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(100),
                () -> 0);
        try (FakeDecider decider = new FakeDecider(
                serving,
                events(end, "a-1"),
                FakeDecider.reset(),
                FakeDecider.reset(),
                FakeDecider.reset(),
                events(never, "b-2"))) {
            following(decider, InetAddress.getLoopbackAddress(), slow, stream -> {
                await().until(() -> notifications.equals(List.of("a-1")));
                end.countDown();
                await().until(() -> {
                    stream.answered();
                    return notifications.equals(List.of("a-1", "-", "b-2"));
                });
                never.countDown();
            });
        }
    }

    @Test
    void aSilentStreamIsClosedAfterAResponseWithAnotherPolicy() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        RevisionStream.Timing patient = new RevisionStream.Timing(
                QUICK.backoff(),
                Duration.ofSeconds(50),
                Duration.ofSeconds(50),
                Duration.ofMillis(100),
                Duration.ofSeconds(50),
                () -> 0.5);
        try (FakeDecider decider = new FakeDecider(serving, events(never, "a-1"), events(never, "b-2"))) {
            following(decider, InetAddress.getLoopbackAddress(), patient, stream -> {
                await().until(() -> notifications.equals(List.of("a-1")));
                await().until(() -> {
                    stream.doubt();
                    return notifications.equals(List.of("a-1", "-", "b-2"));
                });
                never.countDown();
            });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://h:8443/authorize, https://h:8443/revisions",
        "https://h:8443/, https://h:8443/revisions",
        "https://h:8443, https://h:8443/revisions",
        "https://h/authorize?timeout=3s, https://h/revisions",
        "https://h/decider/authorize, https://h/decider/revisions",
        "https://h/apis/authorization.k8s.io/v1/subjectaccessreviews, https://h/revisions",
        "https://h/decider/apis/authorization.k8s.io/v1/subjectaccessreviews, https://h/decider/revisions",
    })
    void revisionsAreAtASiblingPath(String webhook, String expected) throws Exception {
        assertThat(new Endpoint(URI.create(webhook), () -> clientTls, null).revisions())
                .hasToString(expected);
    }
}
