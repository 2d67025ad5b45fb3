package io.plat.http;

import static io.plat.http.testing.RawHttp2.END_HEADERS;
import static io.plat.http.testing.RawHttp2.END_STREAM;
import static io.plat.http.testing.RawHttp2.GOAWAY;
import static io.plat.http.testing.RawHttp2.HEADERS;
import static io.plat.http.testing.RawHttp2.PING;
import static io.plat.http.testing.RawHttp2.RST_STREAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.http.testing.RawHttp2;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP/2, with the JDK's own client and with frames that no client would send. */
class Http2Test {
    private static final int REFUSED_STREAM = 7;
    private static final int CANCEL = 8;
    private static final int ENHANCE_YOUR_CALM = 11;
    private static final Duration BOUND = Duration.ofMillis(400);

    @AutoClose
    private static final TestingServer SERVER = server();

    private static final int ATTEMPTS = 5;

    @AutoClose
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().sslContext(SERVER.client).build();

    private static TestingServer server() {
        return new TestingServer(
                new HttpLimits(8192, 50, TestingServer.BODY_LIMIT, Duration.ofSeconds(60), BOUND, 100));
    }

    private static RawHttp2 connect() throws IOException {
        return connect(SERVER);
    }

    private static RawHttp2 connect(TestingServer server) throws IOException {
        return new RawHttp2(server.server.address(), server.client);
    }

    private static HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(
                URI.create("https://localhost:" + SERVER.server.address().getPort() + path));
    }

    @ParameterizedTest
    @CsvSource({
        "GET,  /livez,   0,    200",
        "POST, /echo,    0,    200",
        "POST, /echo,    1000, 200",
        "POST, /echo,    1001, 413",
        "GET,  /nowhere, 0,    404",
        "GET,  /status,  0,    409",
        "GET,  /bug,     0,    500",
        "GET,  /a/%2e%2e/livez, 0, 400",
        "GET,  //livez,  0,    400"
    })
    void requestsAreAnswered(String method, String path, int length, int code) throws Exception {
        HttpResponse<String> answer =
                answer(to(path).method(method, HttpRequest.BodyPublishers.ofString("x".repeat(length)))
                        .build());
        assertThat(answer.version()).isEqualTo(Version.HTTP_2);
        assertThat(answer.statusCode()).isEqualTo(code);
        if (code >= 400) {
            assertThat(answer.body()).contains("\"kind\":\"Status\"").doesNotContain("secret");
        }
    }

    /**
     * Returns the response, which is sent before the rest of the body is refused (RFC 9113, section 8.1); this client sometimes receives
     * only the refusal, and then retries.
     */
    private static HttpResponse<String> answer(HttpRequest request) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
            } catch (IOException e) {
                if (attempt == ATTEMPTS || !String.valueOf(e.getMessage()).contains("RST_STREAM")) {
                    throw e;
                }
            }
        }
    }

    /** Protocols that a client offers in the handshake, and the selected one. */
    @ParameterizedTest
    @CsvSource({"h2, h2", "http/1.1, http/1.1", "h2 http/1.1, h2", "http/1.1 h2, h2", "'', ''"})
    void theProtocolIsOneThatTheClientOffers(String offered, String spoken) throws Exception {
        try (SSLSocket socket = (SSLSocket) SERVER.client
                .getSocketFactory()
                .createSocket(
                        SERVER.server.address().getAddress(),
                        SERVER.server.address().getPort())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(offered.isEmpty() ? new String[0] : offered.split(" "));
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            assertThat(socket.getApplicationProtocol()).isEqualTo(spoken);
        }
    }

    @Test
    void tooManyHeaderFieldsAreRefused() throws Exception {
        HttpRequest.Builder request = to("/livez");
        for (int i = 0; i < 60; i++) {
            request.header("x-" + i, "y");
        }
        assertThat(CLIENT.send(request.build(), HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(431);
    }

    @Test
    void manyRequestsShareAConnection() throws Exception {
        HttpRequest request = to("/echo")
                .POST(HttpRequest.BodyPublishers.ofString("x".repeat(500)))
                .build();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < Http2.STREAMS; i++) {
            answers.add(CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
        }
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get().body()).hasSize(500);
        }
    }

    @Test
    void streamsBeyondTheLimitAreRefused() throws Exception {
        try (TestingServer server = server();
                RawHttp2 client = connect(server)) {
            for (int i = 0; i <= Http2.STREAMS; i++) {
                client.send(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, RawHttp2.request("GET", "/hold"));
            }
            RawHttp2.Frame refused = client.read(RST_STREAM);
            assertThat(refused.stream()).isEqualTo(2 * Http2.STREAMS + 1);
            assertThat(refused.errorCode()).isEqualTo(REFUSED_STREAM);
            server.release.countDown();
            assertThat(client.succeeds(2 * Http2.STREAMS - 1)).isTrue();
        }
    }

    private static void assertEnds(RawHttp2 client, byte[] flood) throws IOException {
        int reason;
        try {
            client.write(flood);
            reason = client.read(GOAWAY).errorCode();
        } catch (SocketException reset) {
            // The server closes the connection with unread data: the reset may overtake its last frame.
            return;
        }
        assertThat(reason).isEqualTo(ENHANCE_YOUR_CALM);
    }

    @Test
    void aFloodOfResetsEndsTheConnection() throws Exception {
        try (RawHttp2 client = connect()) {
            ByteArrayOutputStream flood = new ByteArrayOutputStream();
            byte[] cancel = ByteBuffer.allocate(4).putInt(CANCEL).array();
            for (int i = 0; i < 3 * Http2.MAX_EVENTS_PER_SECOND; i++) {
                flood.writeBytes(RawHttp2.frame(
                        HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, RawHttp2.request("GET", "/livez")));
                flood.writeBytes(RawHttp2.frame(RST_STREAM, 0, 2 * i + 1, cancel));
            }
            assertEnds(client, flood.toByteArray());
        }
    }

    @Test
    void aFloodOfPingsEndsTheConnection() throws Exception {
        try (RawHttp2 client = connect()) {
            ByteArrayOutputStream flood = new ByteArrayOutputStream();
            for (int i = 0; i < 3 * Http2.MAX_EVENTS_PER_SECOND; i++) {
                flood.writeBytes(RawHttp2.frame(PING, 0, 0, new byte[8]));
            }
            assertEnds(client, flood.toByteArray());
        }
    }

    /** A tunnel would stay open for as long as its client wants. */
    @ParameterizedTest
    @CsvSource({"*, ''", "localhost:80, ''", "localhost, /livez"})
    void aTunnelIsRefusedAndItsStreamReset(String authority, String path) throws Exception {
        try (RawHttp2 client = connect()) {
            byte[] head = path.isEmpty()
                    ? RawHttp2.fields(":method", "CONNECT", ":authority", authority)
                    : RawHttp2.request("CONNECT", path);
            client.send(HEADERS, END_HEADERS, 1, head);
            assertThat(client.read(RawHttp2.DATA).text()).contains("\"code\":400");
            assertThat(client.read(RST_STREAM).stream()).isOne();
            client.send(HEADERS, END_HEADERS | END_STREAM, 3, RawHttp2.request("GET", "/livez"));
            assertThat(client.succeeds(3)).isTrue();
        }
    }

    @Test
    void aSlowBodyIsAbortedAndTheConnectionRemainsUsable() throws Exception {
        try (RawHttp2 client = connect()) {
            client.send(HEADERS, END_HEADERS, 1, RawHttp2.request("POST", "/echo"));
            client.send(RawHttp2.DATA, 0, 1, new byte[3]);
            assertThat(client.read(RawHttp2.DATA).text()).contains("\"code\":408");
            assertThat(client.read(RST_STREAM).stream()).isOne();
            client.send(HEADERS, END_HEADERS | END_STREAM, 3, RawHttp2.request("GET", "/livez"));
            assertThat(client.succeeds(3)).isTrue();
        }
    }

    @Test
    void slowHeadersEndTheConnection() throws Exception {
        try (RawHttp2 client = connect()) {
            client.send(HEADERS, END_STREAM, 1, RawHttp2.request("GET", "/livez"));
            assertThatThrownBy(() -> client.read(HEADERS)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void aStoppingServerAnswersRequestsInProgressAndSendsGoAway() throws Exception {
        try (TestingServer server = server();
                RawHttp2 client = connect(server)) {
            client.send(HEADERS, END_HEADERS | END_STREAM, 1, RawHttp2.request("GET", "/hold"));
            server.held.await();
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> stop(server));
            client.read(GOAWAY);
            assertThat(stopped).isNotDone();
            server.release.countDown();
            assertThat(client.succeeds(1)).isTrue();
            stopped.get();
        }
    }

    private static void stop(TestingServer server) {
        try {
            server.server.stop(Duration.ofMillis(1), Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anUnreadResponseIsAborted() throws IOException {
        try (RawHttp2 client = new RawHttp2(SERVER.server.address(), SERVER.client, 0)) {
            client.send(HEADERS, END_HEADERS | END_STREAM, 1, RawHttp2.request("GET", "/livez"));
            client.send(HEADERS, END_HEADERS | END_STREAM, 3, RawHttp2.request("GET", "/nowhere"));
            assertThat(client.read(RST_STREAM).errorCode()).isEqualTo(CANCEL);
            assertThat(client.read(RST_STREAM).errorCode()).isEqualTo(CANCEL);
        }
    }

    @Test
    void anIncompleteBodyIsCharged() throws IOException {
        FairLimit.Share others = LargeBodyMemory.share("others", null);
        assertThat(others.grow(LargeBodyMemory.MEMORY)).isTrue();
        try (RawHttp2 client = connect()) {
            client.send(HEADERS, END_HEADERS, 1, RawHttp2.request("POST", "/echo"));
            assertThat(client.read(RawHttp2.DATA).text()).contains("too many large request bodies");
        } finally {
            others.release();
        }
    }
}
