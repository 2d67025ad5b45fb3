package io.plat.http;

import io.plat.http.health.HealthRegistry;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.testing.RawClient;
import io.plat.http.testing.TestingPki;
import io.plat.tls.ServerTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;

/** A server with a few handlers and routes, on a free port. */
final class TestingServer implements AutoCloseable {
    static final int BODY_LIMIT = 1000;
    static final HttpLimits LIMITS =
            new HttpLimits(8 * 1024, 50, BODY_LIMIT, Duration.ofSeconds(30), Duration.ofSeconds(20), 1000);

    static final WebOrigin ALLOWED = new WebOrigin("https://console.example.com");

    final TestingPki pki = new TestingPki();
    final HealthRegistry health = new HealthRegistry();
    final ServerMetrics metrics = new ServerMetrics();
    final CountDownLatch held = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);
    final SSLContext client = pki.client("jane", "developers");
    final HttpsServer server;
    private final ServerTls tls;

    TestingServer() {
        this(LIMITS);
    }

    TestingServer(HttpLimits limits) {
        this(limits, true);
    }

    /** @param requires whether client certificates are required, as by a decider */
    TestingServer(HttpLimits limits, boolean requires) {
        tls = requires ? pki.requiringServer() : pki.requestingServer();
        HttpsSettings settings = new HttpsSettings(InetAddress.getLoopbackAddress(), 0, limits, true, Set.of(ALLOWED));
        try {
            server = HttpsServer.start(new HttpsServer.Parts(
                    settings,
                    tls,
                    health,
                    metrics,
                    List.of(),
                    List.of(
                            new EchoedBody(limits.bodyBytes()),
                            new HeldRequest(held, release),
                            new OperatorRoutes(health, metrics, "1"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RawClient connect() throws IOException {
        return new RawClient(server.address(), client);
    }

    @Override
    public void close() {
        try {
            release.countDown();
            server.stop(Duration.ZERO, Duration.ofSeconds(5));
            tls.close();
            metrics.close();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
