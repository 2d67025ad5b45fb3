package io.plat.engine.rbac.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.plat.client.remote.FakeDecider;
import io.plat.client.remote.FakeDecider.Script;
import io.plat.client.remote.TestPki;
import io.plat.review.clientconfig.BearerToken;
import io.plat.review.source.Location;
import io.plat.tls.x509.TlsIdentity;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real connections to a server with arbitrary responses. */
final class HttpsTransportTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final TestPki PKI = new TestPki();
    private static final TlsIdentity SERVER = PKI.server("localhost");
    private static final TlsIdentity CLIENT = PKI.client("follower");

    @Test
    void requestsReuseAConnectionAndAuthenticate() throws Exception {
        try (FakeDecider server = server(FakeDecider.json("200 OK", "{}"))) {
            Transport transport = transport(server, BearerToken.of(new Location("f", 1), "secret"));
            for (int i = 0; i < 3; i++) {
                assertThat(read(transport)).isEqualTo("{}");
            }
            assertThat(server.connections).hasValue(1);
            FakeDecider.Request request = server.requests.getFirst();
            assertThat(request.client()).contains("CN=follower");
            assertThat(request.head())
                    .startsWith("GET /below/apis?x=1 HTTP/1.1")
                    .contains("Accept: application/json")
                    .contains("Authorization: Bearer secret")
                    .contains("User-Agent: plat");
        }
    }

    @Test
    void aTokenFileIsReadEachTime(@TempDir Path directory) throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "one\n");
        try (FakeDecider server = server(FakeDecider.json("200 OK", "{}"))) {
            Transport transport = transport(server, BearerToken.file(token));
            read(transport);
            Files.writeString(token, "two");
            read(transport);
            assertThat(server.requests.get(0).head()).contains("Bearer one");
            assertThat(server.requests.get(1).head()).contains("Bearer two");
            Files.delete(token);
            assertThatThrownBy(() -> read(transport))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no such file");
        }
    }

    @Test
    void redirectsAreNotFollowed() throws Exception {
        try (FakeDecider server = server(FakeDecider.http("302 Found", "Location: /elsewhere\r\n", ""))) {
            try (Transport.Answer answer = get(transport(server, null))) {
                assertThat(answer.code()).isEqualTo(302);
            }
            assertThat(server.requests).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "9999, 60", "0, 0", "'Wed, 21 Oct 2015 07:28:00 GMT', 0", "-1, 0", "99999, 0"})
    void retryAfterIsBounded(String header, long seconds) throws Exception {
        Script busy = FakeDecider.http("429 Too Many Requests", "Retry-After: " + header + "\r\n", "later");
        try (FakeDecider server = server(busy);
                Transport.Answer answer = get(transport(server, null))) {
            assertThat(answer.code()).isEqualTo(429);
            assertThat(answer.retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
            assertThat(answer.body().readAllBytes())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("later");
        }
    }

    @Test
    void aChunkedStreamIsReadIncrementally() throws Exception {
        Script stream = FakeDecider.silence("""
                HTTP/1.1 200 OK
                Content-Type: application/json
                Transfer-Encoding: chunked

                6
                first

                """.replace("\n", "\r\n").replace("first\r\n", "first\n"));
        try (FakeDecider server = server(stream);
                Transport.Answer answer = get(transport(server, null))) {
            assertThat(answer.contentType()).isEqualTo("application/json");
            assertThat(answer.body().readNBytes(6))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("first\n");
        }
    }

    @ParameterizedTest
    @CsvSource({"''", "'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nfir'"})
    void aHalfOpenConnectionIsDetected(String begin) throws Exception {
        try (FakeDecider server = server(FakeDecider.silence(begin))) {
            Transport transport = transport(server, null);
            assertThatThrownBy(() -> {
                        try (Transport.Answer answer = transport.get("/apis", Duration.ofMillis(200))) {
                            answer.body().readAllBytes();
                        }
                    })
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nfir'",
        "'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfir'",
        "'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'",
        "''"
    })
    void aTruncatedResponseFails(String begin) throws Exception {
        try (FakeDecider server = server(FakeDecider.raw(begin))) {
            Transport transport = transport(server, null);
            assertThatThrownBy(() -> read(transport)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aServerOfAnotherNameOrAuthorityIsRefused() throws Exception {
        try (FakeDecider server =
                new FakeDecider(PKI.serving(PKI.server("elsewhere")), FakeDecider.json("200 OK", "{}"))) {
            Transport transport = transport(server, null);
            assertThatThrownBy(() -> read(transport)).isInstanceOf(IOException.class);
            assertThat(server.requests).isEmpty();
        }
        TestPki others = new TestPki();
        try (FakeDecider server =
                new FakeDecider(others.serving(others.server("localhost")), FakeDecider.json("200 OK", "{}"))) {
            Transport transport = transport(server, null);
            assertThatThrownBy(() -> read(transport)).isInstanceOf(IOException.class);
            assertThat(server.requests).isEmpty();
        }
    }

    @Test
    void anInterruptedThreadStops() throws Exception {
        try (FakeDecider server = server(FakeDecider.silence("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"))) {
            Transport transport = transport(server, null);
            CompletableFuture<Throwable> ended = new CompletableFuture<>();
            Thread thread = Thread.ofVirtual().start(() -> {
                try {
                    read(transport);
                    ended.complete(new AssertionError("unexpected read"));
                } catch (IOException closed) {
                    ended.complete(closed);
                }
            });
            await().until(() -> !server.requests.isEmpty());
            thread.interrupt();
            await().atMost(LONG).until(ended::isDone);
            assertThat(ended.join()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void failuresHaveReadableMessages() {
        assertThat(List.of(
                        SourceException.of(new UnknownHostException("x")).getMessage(),
                        SourceException.of(new ConnectException("x")).getMessage(),
                        SourceException.of(new SocketTimeoutException("x")).getMessage(),
                        SourceException.of(new SSLException("a", new IOException("the reason\nof it")))
                                .getMessage(),
                        SourceException.of(new IOException()).getMessage(),
                        SourceException.line("x".repeat(1000))))
                .containsExactly(
                        "unknown host",
                        "cannot connect",
                        "timed out",
                        "TLS: the reason of it",
                        "IOException",
                        "x".repeat(300) + "…");
    }

    private static FakeDecider server(Script... scripts) throws Exception {
        return new FakeDecider(PKI.serving(SERVER), scripts);
    }

    private static Transport transport(FakeDecider server, @Nullable BearerToken token) throws Exception {
        URI url = URI.create("https://localhost:" + server.url().getPort() + "/below/");
        return new HttpsTransport(url, PKI.clientContext(CLIENT), token);
    }

    private static Transport.Answer get(Transport transport) throws IOException {
        return transport.get("/apis?x=1", LONG);
    }

    private static String read(Transport transport) throws IOException {
        try (Transport.Answer answer = get(transport)) {
            return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
