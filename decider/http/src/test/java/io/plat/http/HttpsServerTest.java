package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.net.BindException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ordinary requests and ordinary failures. */
class HttpsServerTest {
    private static TestingServer server;

    @BeforeAll
    static void start() {
        server = new TestingServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void oneConnectionServesManyRequests() throws IOException {
        try (RawClient client = server.connect()) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.post("/echo", "body " + i).text()).isEqualTo("body " + i);
                assertThat(client.get("/livez").text()).isEqualTo("ok");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1000})
    void aBodyWithinItsLimitIsReadWhole(int size) throws IOException {
        String body = "x".repeat(size);
        try (RawClient client = server.connect()) {
            assertThat(client.post("/echo", body).text()).isEqualTo(body);
        }
    }

    @Test
    void aSlowChunkedBodyIsReadCompletely() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (String part : List.of("3\r\nabc\r\n", "2\r\nde", "\r\n", "0\r\n", "\r\n")) {
                client.send(part);
            }
            assertThat(client.answer().text()).isEqualTo("abcde");
        }
    }

    @Test
    void aBodyWhoseMemoryAnotherClientNeedsIsRefusedOnItsOwnConnection() throws IOException {
        FairLimit.Share all = LargeBodyMemory.share("all", null);
        FairLimit.Share other = LargeBodyMemory.share("other", null);
        try (RawClient client = server.connect()) {
            client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n" + "x".repeat(500));
            await().until(() -> LargeBodyMemory.OF_PROCESS.inUse() == UnreadResponses.OVERHEAD);
            assertThat(all.grow(LargeBodyMemory.MEMORY - UnreadResponses.OVERHEAD))
                    .isTrue();
            assertThat(other.grow(UnreadResponses.OVERHEAD / 2)).isTrue();
            assertThat(client.send("x".repeat(400)).answer().text()).contains("too many large request bodies");
        } finally {
            all.release();
            other.release();
        }
    }

    @Test
    void expectContinueIsAnswered() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
            assertThat(client.answerWithoutBody().code()).isEqualTo(100);
            assertThat(client.send("ab").answer().text()).isEqualTo("ab");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/echo", "/status"})
    void aClientThatExpectsToContinueGetsOnlyTheRefusal(String path) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST " + path
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\nExpect: 100-continue\r\n\r\n");
            assertThat(client.answer().code()).isIn(405, 413);
            assertThat(client.closedWithoutAnother()).isTrue();
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws IOException {
        try (RawClient client = server.connect()) {
            String request = "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n";
            client.send(request + "a" + request + "b" + request + "c");
            assertThat(List.of(
                            client.answer().text(),
                            client.answer().text(),
                            client.answer().text()))
                    .containsExactly("a", "b", "c");
        }
    }

    /** RFC 9112, section 9.6: otherwise a reset may erase the response before the client reads it. */
    @ParameterizedTest
    @CsvSource({
        "/echo, Content-Length: 4000000, 413",
        "/echo, Transfer-Encoding: chunked, 413",
        "/status, Content-Length: 4000000, 405",
        "/absent, Content-Length: 4000000, 404"
    })
    void aClientThatSendsTheWholeRefusedBodyReadsTheResponse(String path, String framing, int code) throws IOException {
        for (int i = 0; i < 5; i++) {
            try (RawClient client = server.connect()) {
                client.send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + framing + "\r\n\r\n");
                if (framing.contains("chunked")) {
                    client.send("3D0900\r\n");
                }
                for (int part = 0; part < 40; part++) {
                    client.send("x".repeat(100_000));
                }
                assertThat(client.answer().code()).isEqualTo(code);
            }
        }
    }

    @Test
    void theConnectionOfARefusedBodyThatDoesNotEndIsClosed() throws IOException {
        try (RawClient endless = server.connect();
                RawClient silent = server.connect()) {
            for (RawClient client : List.of(endless, silent)) {
                client.send("POST /status HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000000\r\n\r\n");
                assertThat(client.answer().code()).isEqualTo(405);
            }
            assertThatThrownBy(() -> {
                        while (true) {
                            endless.send("x".repeat(100_000));
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(silent::answer).isInstanceOf(IOException.class);
        }
    }

    private static String plaintext(TestingServer to, String request) throws IOException {
        try (Socket socket =
                new Socket(to.server.address().getAddress(), to.server.address().getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /** As kube-apiserver does; otherwise curl shows an alert of TLS as garbage. */
    @ParameterizedTest
    @ValueSource(strings = {"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST /echo HTTP/1.0\r\n", "GET /"})
    void aRequestWithoutTlsGetsAResponseUnlessACertificateIsRequired(String request) throws IOException {
        try (TestingServer requesting = new TestingServer(TestingServer.LIMITS, false)) {
            assertThat(plaintext(requesting, request))
                    .startsWith("HTTP/1.0 400 Bad Request\r\n")
                    .endsWith("\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
        }
        assertThat(plaintext(server, request)).doesNotContain("HTTP");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SSH-2.0-x\r\n\r\n", "\u0080\u0080\u0000\u0001\u0002\u0003\u0004"})
    void otherProtocolsGetNoHttp(String bytes) throws IOException {
        try (TestingServer requesting = new TestingServer(TestingServer.LIMITS, false)) {
            assertThat(plaintext(requesting, bytes)).doesNotContain("HTTP");
        }
    }

    @Test
    void unreadBodiesDoNotReachTheNextRequest() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /status HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n");
            RawAnswer answer = client.answer();
            assertThat(answer.code()).isEqualTo(405);
            assertThat(answer.field("Connection")).contains("close");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/raw%2F..%2fx", "/raw/../x", "/raw//x;y=z/%2e%2e", "/raw/%25/%5c", "/raw/%c3%a9"})
    void handlersReceiveThePathAsSent(String path) throws IOException {
        try (RawClient client = server.connect()) {
            RawAnswer answer = client.get(path);
            assertThat(answer.code() == 400 || answer.text().equals(path))
                    .as(answer.text())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /nothing, 404, NotFound",
        "POST, /livez, 405, MethodNotAllowed",
        "GET, /status, 409, Conflict",
        "GET, /bug, 500, InternalError",
        "GET, /error, 500, InternalError",
        "GET, /throws, 500, InternalError",
    })
    void failuresAreStatusObjects(String method, String path, int code, String reason) throws IOException {
        try (RawClient client = server.connect()) {
            RawAnswer answer = client.send(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .answer();
            assertThat(answer.code()).isEqualTo(code);
            assertThat(answer.status().reason().word()).isEqualTo(reason);
            assertThat(answer.text()).doesNotContain("secret");
        }
    }

    @Test
    void theResponseToHeadHasNoBody() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("HEAD /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(client.answerWithoutBody().code()).isEqualTo(404);
            assertThat(client.get("/livez").text()).isEqualTo("ok");
        }
    }

    @Test
    void methodNotAllowedListsAllowedMethods() throws IOException {
        try (RawClient client = server.connect()) {
            assertThat(client.post("/livez", "").field("Allow"))
                    .get()
                    .asString()
                    .contains("GET");
        }
    }

    @Test
    void requestsAreCountedByMethodAndCode() throws IOException {
        try (RawClient client = server.connect()) {
            client.get("/nowhere-to-be-found");
            String metrics = client.get("/metrics").text();
            assertThat(metrics)
                    .contains("http_request_duration_seconds_bucket{code=\"404\",method=\"GET\",le=\"5.0E-5\"}")
                    .contains("http_requests_in_flight 1.0")
                    .contains("jvm_memory_used_bytes");
        }
    }

    @Test
    void anAddressInUseIsReportedInOneLine() {
        HttpsSettings taken = new HttpsSettings(
                server.server.address().getAddress(),
                server.server.address().getPort(),
                TestingServer.LIMITS,
                true,
                Set.of());
        HttpsServer.Parts parts = new HttpsServer.Parts(
                taken,
                server.pki.requiringServer(),
                new io.plat.http.health.HealthRegistry(),
                new io.plat.http.metrics.ServerMetrics(),
                List.of(),
                List.of());
        assertThatThrownBy(() -> HttpsServer.start(parts))
                .isInstanceOf(BindException.class)
                .hasMessage("cannot listen on 127.0.0.1:" + taken.port() + ": Address already in use");
    }

    @Test
    void aClientWithoutAnAcceptedCertificateFailsTheHandshake() {
        for (var stranger : List.of(server.pki.clientOfAnotherAuthority(), server.pki.clientWithoutCertificate())) {
            assertThatThrownBy(() -> {
                        try (RawClient client = new RawClient(server.server.address(), stranger)) {
                            client.get("/livez");
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }
}
