package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.health.HealthRegistry;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.testing.RawClient;
import io.plat.http.testing.TestingPki;
import io.plat.tls.ServerTls;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/** A server that requests certificates without requiring one. */
class PeerCertificatesTest {
    private final AtomicInteger derived = new AtomicInteger();

    /** Responds with the subject of the client's certificate, determined once per connection. */
    private final class Subject extends Handler.Wrapper {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            String subject = RequestClient.PeerCertificates.derived(request, "subject", String.class, chain -> {
                derived.incrementAndGet();
                return chain.isEmpty()
                        ? "nobody"
                        : chain.getFirst().getSubjectX500Principal().getName();
            });
            response.write(true, ByteBuffer.wrap(subject.getBytes(StandardCharsets.UTF_8)), callback);
            return true;
        }
    }

    @Test
    void theApplicationReceivesTheCertificates() throws IOException, InterruptedException {
        TestingPki pki = new TestingPki();
        try (ServerTls tls = pki.requestingServer();
                ServerMetrics metrics = new ServerMetrics()) {
            HttpsServer server = HttpsServer.start(new HttpsServer.Parts(
                    new HttpsSettings(InetAddress.getLoopbackAddress(), 0, HttpLimits.DEFAULT, true, Set.of()),
                    tls,
                    new HealthRegistry(),
                    metrics,
                    List.of(),
                    List.of(new Subject())));
            try (RawClient jane = new RawClient(server.address(), pki.client("jane"));
                    RawClient nobody = new RawClient(server.address(), pki.clientWithoutCertificate());
                    RawClient mallory = new RawClient(server.address(), pki.clientOfAnotherAuthority())) {
                for (int i = 0; i < 3; i++) {
                    assertThat(jane.get("/").text()).isEqualTo("CN=jane");
                    assertThat(nobody.get("/").text()).isEqualTo("nobody");
                    assertThat(mallory.get("/").text()).isEqualTo("CN=mallory");
                }
                assertThat(derived).hasValue(3);
            } finally {
                server.stop(Duration.ZERO, Duration.ofSeconds(5));
            }
        }
    }
}
