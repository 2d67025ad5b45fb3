package io.plat.client.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.plat.tls.pem.PemException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP/1.1 responses of deciders, proxies in front of them, and attackers. */
class ConnectionPoolTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @SuppressWarnings("NullAway.Init")
    private static SSLContext serving;

    @SuppressWarnings("NullAway.Init")
    private static SSLContext clientTls;

    @SuppressWarnings("NullAway.Init")
    private static SSLContext renewed;

    @BeforeAll
    static void makePki() throws PemException {
        TestPki pki = new TestPki();
        serving = pki.serving(pki.server("localhost"));
        clientTls = pki.clientContext(pki.client("server-1"));
        renewed = pki.clientContext(pki.client("server-2"));
    }

    private static ConnectionPool pool(Endpoint endpoint) {
        return new ConnectionPool(endpoint, InetAddress.getLoopbackAddress(), LONG);
    }

    private static String get(ConnectionPool pool, Endpoint endpoint) throws IOException {
        return pool.execute(
                pool.prepared(endpoint.url(), "*/*", null, LONG),
                response -> response.code() + " "
                        + new String(response.body().readAllBytes(), StandardCharsets.ISO_8859_1));
    }

    private static String unescaped(String text) {
        return text.replace("\\r", "\r").replace("\\n", "\n");
    }

    /** The bytes of a response, the resulting body, and whether the connection is reused. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = true, textBlock = """
            HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok                                        | 200 ok    | true
            HTTP/1.1 200\\r\\nContent-Length: 2\\r\\n\\r\\nok                                           | 200 ok    | true
            HTTP/1.1 200 OK\\nContent-Length: 2\\n\\nok                                                 | 200 ok    | true
            HTTP/1.1 200 OK\\r\\ncontent-length:2\\r\\n\\r\\nok                                         | 200 ok    | true
            HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n                                          | 200       | true
            HTTP/1.1 204 None\\r\\n\\r\\n                                                               | 204       | true
            HTTP/1.1 100 Go\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok             | 200 ok    | true
            HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1;x=y\\r\\no\\r\\n1\\r\\nk\\r\\n0\\r\\n\\r\\n | 200 ok | true
            HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n2\\r\\nok\\r\\n0\\r\\nA: b\\r\\n\\r\\n   | 200 ok | true
            HTTP/1.1 200 OK\\r\\nConnection: close\\r\\nContent-Length: 2\\r\\n\\r\\nok                 | 200 ok    | false
            HTTP/1.0 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok                                        | 200 ok    | false
            HTTP/1.1 429 Many\\r\\nContent-Length: 2\\r\\n\\r\\nok                                      | 429 ok    | true
            HTTP/1.1 302 Found\\r\\nContent-Length: 2\\r\\n\\r\\nok                                     | 302 ok    | false
            HTTP/1.1 400 Bad\\r\\nContent-Length: 2\\r\\n\\r\\nok                                       | 400 ok    | false
            HTTP/1.1 408 Late\\r\\nContent-Length: 2\\r\\n\\r\\nok                                      | 408 ok    | false
            HTTP/1.1 503 Down\\r\\nContent-Length: 2\\r\\n\\r\\nok                                      | 503 ok    | false
            """)
    void responsesAreRead(String bytes, String read, boolean kept) throws Exception {
        FakeDecider.Script script = (connection, request) -> {
            connection.getOutputStream().write(unescaped(bytes).getBytes(StandardCharsets.ISO_8859_1));
            return true;
        };
        try (FakeDecider decider = new FakeDecider(serving, script)) {
            Endpoint endpoint = new Endpoint(decider.url(), () -> clientTls, null);
            try (ConnectionPool pool = pool(endpoint)) {
                assertThat(get(pool, endpoint).strip()).isEqualTo(read);
                assertThat(get(pool, endpoint).strip()).isEqualTo(read);
            }
            assertThat(decider.connections.get()).isEqualTo(kept ? 1 : 2);
        }
    }

    /** Malformed responses and the resulting failures. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            HTTP/1.1 200 OK\\r\\nContent-Length: 3\\r\\n\\r\\nok                                        | ended within the answer
            HTTP/1.1 200 OK\\r\\nContent-Length: -1\\r\\n\\r\\nok                                       | unexpected content length "-1"
            HTTP/1.1 200 OK\\r\\nContent-Length: 2, 2\\r\\n\\r\\nok                                     | unexpected content length
            HTTP/1.1 200 OK\\r\\nContent-Length: 99999999999\\r\\n\\r\\nok                              | unexpected content length
            HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n | unexpected transfer encoding
            HTTP/1.1 200 OK\\r\\nTransfer-Encoding: gzip, chunked\\r\\n\\r\\n0\\r\\n\\r\\n               | unexpected transfer encoding
            HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n-2\\r\\nok\\r\\n0\\r\\n\\r\\n      | malformed chunk
            HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n2\\r\\nokay\\r\\n0\\r\\n\\r\\n     | malformed chunk
            HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nFFFFFFFFF\\r\\nok                | malformed chunk
            HTTP/1.1 200 OK\\r\\n Folded: x\\r\\n\\r\\n                                                | malformed header
            HTTP/1.1 200 OK\\r\\nno colon\\r\\n\\r\\n                                                  | malformed header
            HTTP/2.0 200 OK\\r\\n\\r\\n                                                                | not an HTTP response
            HTTP/1.1 2x0 OK\\r\\n\\r\\n                                                                | not an HTTP response
            HTTP/1.1 099 No\\r\\n\\r\\n                                                                | not an HTTP response
            SSH-2.0-OpenSSH_9.9\\r\\n\\r\\n                                                            | not an HTTP response
            HTTP/1.1 200 OK\\r\\n                                                                      | ended before the answer
            """)
    void malformedResponsesFail(String bytes, String problem) throws Exception {
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.raw(unescaped(bytes)))) {
            Endpoint endpoint = new Endpoint(decider.url(), () -> clientTls, null);
            try (ConnectionPool pool = pool(endpoint)) {
                assertThatThrownBy(() -> get(pool, endpoint))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining(problem);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"9000, 1, a line of more than 8192 bytes", "10, 101, more than 100 headers"})
    void headersAreBounded(int length, int count, String problem) throws Exception {
        String header = "A: " + "x".repeat(length) + "\r\n";
        try (FakeDecider decider =
                new FakeDecider(serving, FakeDecider.raw("HTTP/1.1 200 OK\r\n" + header.repeat(count) + "\r\n"))) {
            Endpoint endpoint = new Endpoint(decider.url(), () -> clientTls, null);
            try (ConnectionPool pool = pool(endpoint)) {
                assertThatThrownBy(() -> get(pool, endpoint)).hasMessageContaining(problem);
            }
        }
    }

    /** Otherwise it would be taken for the response to the next request, possibly of another user. */
    @Test
    void aResponseThatNobodyRequestedIsNotRead() throws Exception {
        String ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
        FakeDecider.Script twice = (connection, request) -> {
            connection.getOutputStream().write((ok + "no").getBytes(StandardCharsets.US_ASCII));
            connection.getOutputStream().write((ok + "yo").getBytes(StandardCharsets.US_ASCII));
            return true;
        };
        FakeDecider.Script once = (connection, request) -> {
            connection.getOutputStream().write((ok + "no").getBytes(StandardCharsets.US_ASCII));
            return true;
        };
        try (FakeDecider decider = new FakeDecider(serving, twice, once)) {
            Endpoint endpoint = new Endpoint(decider.url(), () -> clientTls, null);
            try (ConnectionPool pool = pool(endpoint)) {
                assertThat(get(pool, endpoint)).isEqualTo("200 no");
                // Loopback delivers data written before the next request; the other case is a single TLS record.
                await().pollDelay(Duration.ofMillis(50)).until(() -> true);
                assertThat(get(pool, endpoint)).isEqualTo("200 no");
            }
            assertThat(decider.connections).hasValue(2);
        }
    }

    @Test
    void connectionsOfReplacedCredentialsAreNotUsed() throws Exception {
        AtomicReference<SSLContext> current = new AtomicReference<>(clientTls);
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.json("200 OK", "{}"))) {
            Endpoint endpoint = new Endpoint(decider.url(), current::get, null);
            try (ConnectionPool pool = pool(endpoint)) {
                get(pool, endpoint);
                current.set(renewed);
                get(pool, endpoint);
                get(pool, endpoint);
            }
            assertThat(decider.connections).hasValue(2);
            assertThat(decider.requests)
                    .extracting(FakeDecider.Request::client)
                    .satisfiesExactly(
                            first -> assertThat(first).contains("server-1"),
                            second -> assertThat(second).contains("server-2"),
                            third -> assertThat(third).contains("server-2"));
        }
    }
}
