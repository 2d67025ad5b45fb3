package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Malformed requests: the response is a Status or none at all, never an HTML page or a stack trace. */
class MalformedHttpTest {
    private static TestingServer server;

    @BeforeAll
    static void start() {
        server = new TestingServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A request as bytes, and the code of its answer. */
    record Case(String name, String request, int code) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Case of(String name, String request, int code) {
        return new Case(name, request.replace("\n", "\r\n"), code);
    }

    private static final String HOST = "Host: localhost\n";

    static Stream<Case> cases() {
        return Stream.of(
                of("no HTTP at all", "\1\2\3\4\n\n", 400),
                of("request line without a version", "GET /\n" + HOST + "\n", 505),
                of("unknown major version", "GET / HTTP/7.1\n" + HOST + "\n", 505),
                of("method in lower case", "get /livez HTTP/1.1\n" + HOST + "\n", 405),
                of("unknown method", "BREW /livez HTTP/1.1\n" + HOST + "\n", 405),
                of("no host", "GET /livez HTTP/1.1\n\n", 400),
                of("two hosts", "GET /livez HTTP/1.1\n" + HOST + "Host: other\n\n", 400),
                of("host with a path", "GET /livez HTTP/1.1\nHost: a/b\n\n", 400),
                of("absolute target of another host", "GET https://other/livez HTTP/1.1\n" + HOST + "\n", 400),
                of("header without a colon", "GET /livez HTTP/1.1\n" + HOST + "Accept\n\n", 400),
                of("space before the colon", "GET /livez HTTP/1.1\n" + HOST + "Accept : */*\n\n", 400),
                of("folded header", "GET /livez HTTP/1.1\n" + HOST + "Accept: a,\n b\n\n", 400),
                of("control character in a header", "GET /livez HTTP/1.1\n" + HOST + "Accept: a\0b\n\n", 400),
                new Case("bare line feeds", "GET /livez HTTP/1.1\nHost: localhost\n\n", 400),
                of(
                        "two content lengths",
                        "POST /echo HTTP/1.1\n" + HOST + "Content-Length: 1\nContent-Length: 2\n\nxx",
                        400),
                of(
                        "equal content lengths",
                        "POST /echo HTTP/1.1\n" + HOST + "Content-Length: 1\nContent-Length: 1\n\nx",
                        400),
                of("content length that is a list", "POST /echo HTTP/1.1\n" + HOST + "Content-Length: 1, 1\n\nx", 400),
                of("negative content length", "POST /echo HTTP/1.1\n" + HOST + "Content-Length: -1\n\n", 400),
                of("content length with a sign", "POST /echo HTTP/1.1\n" + HOST + "Content-Length: +1\n\nx", 400),
                of(
                        "endless content length",
                        "POST /echo HTTP/1.1\n" + HOST + "Content-Length: 99999999999999999999\n\n",
                        400),
                of(
                        "length and transfer encoding",
                        "POST /echo HTTP/1.1\n" + HOST + "Content-Length: 3\nTransfer-Encoding: chunked\n\n0\n\n",
                        400),
                of(
                        "transfer encoding that is not chunked",
                        "POST /echo HTTP/1.1\n" + HOST + "Transfer-Encoding: xchunked\n\n0\n\n",
                        400),
                of(
                        "chunked that is not last",
                        "POST /echo HTTP/1.1\n" + HOST + "Transfer-Encoding: chunked, identity\n\n0\n\n",
                        400),
                of(
                        "chunk size that is not a number",
                        "POST /echo HTTP/1.1\n" + HOST + "Transfer-Encoding: chunked\n\nzz\n\n",
                        400),
                of(
                        "chunk size that overflows",
                        "POST /echo HTTP/1.1\n" + HOST + "Transfer-Encoding: chunked\n\nfffffffffffffffff\n\n",
                        400),
                of("Content-Length beyond the limit", "POST /echo HTTP/1.1\n" + HOST + "Content-Length: 1001\n\n", 413),
                of(
                        "chunks that become too large",
                        "POST /echo HTTP/1.1\n" + HOST + "Transfer-Encoding: chunked\n\n"
                                + ("64\n" + "x".repeat(100) + "\n").repeat(11),
                        413),
                of("target that is too long", "GET /" + "x".repeat(9000) + " HTTP/1.1\n" + HOST + "\n", 414),
                of("header that is too large", "GET /livez HTTP/1.1\n" + HOST + "A: " + "x".repeat(9000) + "\n\n", 431),
                of("too many headers", "GET /livez HTTP/1.1\n" + HOST + "A: b\n".repeat(60) + "\n", 431),
                of("expectation that cannot be met", "GET /livez HTTP/1.1\n" + HOST + "Expect: wonders\n\n", 417),
                of("encoded slash", "GET /livez%2Fping HTTP/1.1\n" + HOST + "\n", 400),
                of("dot segments", "GET /readyz/../livez HTTP/1.1\n" + HOST + "\n", 400),
                of("encoded dot segments", "GET /readyz/%2e%2e/livez HTTP/1.1\n" + HOST + "\n", 400),
                of("empty segment", "GET //livez HTTP/1.1\n" + HOST + "\n", 400),
                of("path parameter", "GET /livez;a=b HTTP/1.1\n" + HOST + "\n", 400),
                of("encoded null", "GET /livez%00 HTTP/1.1\n" + HOST + "\n", 400),
                of("no UTF-8", "GET /livez/%c3%28 HTTP/1.1\n" + HOST + "\n", 400),
                of("broken escape", "GET /livez/%zz HTTP/1.1\n" + HOST + "\n", 400),
                of("raw bytes that are not ASCII", "GET /livez\u00e9 HTTP/1.1\n" + HOST + "\n", 400),
                of("fragment", "GET /livez#x HTTP/1.1\n" + HOST + "\n", 400),
                of("asterisk", "OPTIONS * HTTP/1.1\n" + HOST + "\n", 400),
                of("CONNECT to *", "CONNECT * HTTP/1.1\n" + HOST + "\n", 400),
                of("CONNECT to a path", "CONNECT /livez HTTP/1.1\n" + HOST + "\n", 400),
                of("connect", "CONNECT localhost:80 HTTP/1.1\n" + HOST + "\n", 400),
                of("trace", "TRACE /livez HTTP/1.1\n" + HOST + "\n", 405));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void isAnsweredWithAStatus(Case malformed) throws IOException {
        try (RawClient client = server.connect()) {
            RawAnswer answer = client.send(malformed.request()).answer();
            assertThat(answer.code()).as(answer.text()).isEqualTo(malformed.code());
            assertThat(answer.status().code()).isEqualTo(malformed.code());
            assertThat(answer.field("Content-Type")).contains("application/json");
            assertThat(answer.field("Server")).isEmpty();
            assertThat(answer.text()).doesNotContain("org.eclipse", "java.", "<html", "\tat ");
            if (malformed.request().startsWith("CONNECT")) {
                assertThat(client.closedWithoutAnother()).isTrue();
            }
        }
    }
}
