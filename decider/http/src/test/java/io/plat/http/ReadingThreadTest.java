package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.health.HealthRegistry;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import io.plat.http.testing.TestingPki;
import io.plat.tls.ServerTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReadingThreadTest {
    private final TestingPki pki = new TestingPki();
    private final ServerTls tls = pki.requiringServer();
    private final ServerMetrics metrics = new ServerMetrics();
    private final CountDownLatch held = new CountDownLatch(WaitingThreads.MAX_CALLING);
    private final CountDownLatch release = new CountDownLatch(1);

    @SuppressWarnings("NullAway.Init")
    private HttpsServer server;

    /** Responds whether it may block; /wait and /hold announce that the next request will, and /hold blocks if it may. */
    private final class WaitReport extends Handler.Wrapper {
        @Override
        public InvocationType getInvocationType() {
            return InvocationType.NON_BLOCKING;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            boolean mayWait = ReadingThread.mayWait(request);
            String path = request.getHttpURI().getPath();
            ReadingThread.expectWait(request, !"/quick".equals(path));
            if ("/hold".equals(path) && mayWait) {
                held.countDown();
                awaitRelease();
            }
            byte[] report = String.valueOf(mayWait).getBytes(StandardCharsets.US_ASCII);
            response.getHeaders().put("Content-Length", report.length);
            response.write(true, ByteBuffer.wrap(report), callback);
            return true;
        }

        private void awaitRelease() {
            try {
                assertThat(release.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpsServer.start(new HttpsServer.Parts(
                new HttpsSettings(InetAddress.getLoopbackAddress(), 0, TestingServer.LIMITS, true, Set.of()),
                tls,
                new HealthRegistry(),
                metrics,
                List.of(),
                List.of(new WaitReport())));
    }

    @AfterEach
    void stop() throws InterruptedException {
        release.countDown();
        server.stop(Duration.ZERO, Duration.ofSeconds(5));
        tls.close();
        metrics.close();
    }

    private RawClient connect() throws IOException {
        return new RawClient(server.address(), pki.client("jane"));
    }

    private static String get(RawClient client, String path) throws IOException {
        send(client, path);
        RawAnswer answer = client.answer();
        assertThat(answer.code()).isEqualTo(200);
        return answer.text();
    }

    private static void send(RawClient client, String path) throws IOException {
        client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    @Test
    void aConnectionWithABlockingRequestIsReadByADedicatedThread() throws IOException {
        try (RawClient one = connect();
                RawClient other = connect()) {
            assertThat(get(one, "/wait")).isEqualTo("false");
            assertThat(get(one, "/wait")).isEqualTo("true");
            assertThat(get(other, "/quick")).as("known for the connection").isEqualTo("false");
            assertThat(get(one, "/quick")).isEqualTo("true");
            assertThat(get(one, "/wait")).isEqualTo("false");
            assertThat(get(one, "/wait")).isEqualTo("true");
        }
    }

    @Test
    void otherConnectionsAreReadMeanwhile() throws Exception {
        List<RawClient> waiting = new ArrayList<>();
        try (RawClient quick = connect()) {
            for (int i = 0; i < WaitingThreads.MAX_CALLING; i++) {
                RawClient client = connect();
                waiting.add(client);
                get(client, "/wait");
                send(client, "/hold");
            }
            assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 50; i++) {
                assertThat(get(quick, "/quick")).isEqualTo("false");
            }
            release.countDown();
            for (RawClient client : waiting) {
                assertThat(client.answer().text()).isEqualTo("true");
            }
        } finally {
            for (RawClient client : waiting) {
                client.close();
            }
        }
    }

    @Test
    void multiplexedRequestsNeverBlockTheReader() throws Exception {
        try (HttpClient http2 =
                HttpClient.newBuilder().sslContext(pki.client("jane")).build()) {
            for (int i = 0; i < 5; i++) {
                HttpResponse<String> answer = http2.send(
                        HttpRequest.newBuilder(URI.create(
                                        "https://localhost:" + server.address().getPort() + "/wait"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
                assertThat(answer.body()).isEqualTo("false");
            }
        }
    }
}
