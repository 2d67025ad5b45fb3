package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.http.HttpLimits;
import io.plat.http.HttpsServer;
import io.plat.http.HttpsSettings;
import io.plat.http.health.HealthRegistry;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import io.plat.http.testing.TestingPki;
import io.plat.tls.ServerTls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Limits of subscribers. */
@Execution(ExecutionMode.CONCURRENT)
class RevisionStreamsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** The cheapest one without the C2 compiler: even a busy machine reads megabytes within the timeout of clients that do not read. */
    private static final String[] CIPHERS = {"TLS_CHACHA20_POLY1305_SHA256"};

    private final TestingPki pki = new TestingPki();
    private final SSLContext identity = pki.client("server-1");
    private final ServerMetrics metrics = new ServerMetrics();
    private volatile String revision = "a-1";
    private final RevisionStreams streams =
            new RevisionStreams(2, Duration.ofMillis(50), Duration.ofSeconds(8), () -> revision, metrics.registry());
    private final ServerTls tls = pki.requiringServer();
    private final HttpsServer server;

    RevisionStreamsTest() throws IOException {
        server = HttpsServer.start(new HttpsServer.Parts(
                new HttpsSettings(InetAddress.getLoopbackAddress(), 0, HttpLimits.DEFAULT, true, Set.of()),
                tls,
                new HealthRegistry(),
                metrics,
                List.of(),
                List.of(streams)));
    }

    @AfterEach
    void stop() throws InterruptedException {
        streams.endAll();
        server.stop(Duration.ZERO, Duration.ofSeconds(10));
        streams.close();
        tls.close();
        metrics.close();
    }

    private SSLSocket follow() throws IOException {
        SSLSocket socket = (SSLSocket) identity.getSocketFactory()
                .createSocket(server.address().getAddress(), server.address().getPort());
        socket.setEnabledCipherSuites(CIPHERS);
        socket.setSoTimeout((int) TIMEOUT.toMillis());
        socket.getOutputStream()
                .write("GET /revisions HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static BufferedReader reading(SSLSocket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    private static void awaitLine(BufferedReader lines, String expected) throws IOException {
        String line = lines.readLine();
        while (!line.equals(expected)) {
            line = lines.readLine();
        }
    }

    private void awaitSubscribers(int count) {
        await().atMost(TIMEOUT).until(() -> metrics.text().contains("policy_revision_subscribers " + count + ".0"));
    }

    private void become(String next) {
        revision = next;
        streams.changed();
    }

    @Test
    void theNumberOfSubscribersIsLimited() throws IOException {
        try (SSLSocket first = follow()) {
            awaitLine(reading(first), "data: a-1");
            try (SSLSocket second = follow();
                    RawClient third = new RawClient(server.address(), identity)) {
                awaitLine(reading(second), "data: a-1");
                RawAnswer refused = third.get("/revisions");
                assertThat(refused.code()).isEqualTo(429);
                assertThat(refused.field("Retry-After")).contains("10");
            }
            awaitSubscribers(1);
            try (SSLSocket fourth = follow()) {
                awaitLine(reading(fourth), "data: a-1");
            }
        }
    }

    @Test
    void onlyClientsThatDoNotReadAreDisconnected() throws IOException {
        try (SSLSocket idle = follow();
                SSLSocket quick = follow()) {
            awaitSubscribers(2);
            BufferedReader lines = reading(quick);
            awaitLine(lines, "data: a-1");
            // More than fits into the buffers of two sockets.
            String large = "x".repeat(8 << 20);
            become(large);
            awaitLine(lines, "data: " + large);
            awaitSubscribers(1);
            become("c-3");
            awaitLine(lines, "data: c-3");
            assertThat(idle.isConnected()).isTrue();
        }
    }

    @Test
    void idleStreamsReceiveHeartbeats() throws IOException {
        try (SSLSocket quiet = follow()) {
            BufferedReader lines = reading(quiet);
            awaitLine(lines, "data: a-1");
            awaitLine(lines, ":");
            awaitLine(lines, ":");
        }
    }
}
