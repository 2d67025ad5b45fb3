package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of pages, well-formed and malformed. {@code Host} is {@code localhost:8443} unless a row has another. */
class CrossOriginProtectionTest {
    private static final String EVIL = "Origin: https://evil.example";

    private static TestingServer server;

    @BeforeAll
    static void start() {
        server = new TestingServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            # no browser
            200 | POST /echo |
            # the server's own pages
            200 | POST /echo | Sec-Fetch-Site: same-origin; Origin: https://localhost:8443
            200 | POST /echo | Origin: https://localhost:8443
            200 | POST /echo | Origin: https://LocalHost:8443
            200 | POST /echo | Host: LOCALHOST:8443; Origin: https://localhost:8443
            200 | POST /echo | Host: api.example.com; Origin: https://api.example.com:443
            200 | POST /echo | Host: api.example.com:443; Origin: https://api.example.com
            200 | POST /echo | Host: [::1]:8443; Origin: https://[::1]:8443
            200 | POST /echo | Sec-Fetch-Site: none
            # a page behind a proxy that replaces Host, such as kubectl proxy
            200 | POST /echo | Sec-Fetch-Site: same-origin; Origin: http://localhost:8001
            # other origins
            403 | POST /echo | Sec-Fetch-Site: cross-site
            403 | POST /echo | Sec-Fetch-Site: same-site
            403 | POST /echo | Sec-Fetch-Site: cross-site; Origin: https://localhost:8443
            403 | POST /echo | Sec-Fetch-Site: none; Origin: https://evil.example
            403 | POST /echo | Sec-Fetch-Site: Same-Origin; Origin: https://evil.example
            403 | POST /echo | Sec-Fetch-Site:
            403 | POST /echo | Origin: https://evil.example
            403 | POST /echo | Origin: null
            403 | POST /echo | Origin:
            403 | POST /echo | Origin: https://localhost:8444
            403 | POST /echo | Origin: https://localhost
            403 | POST /echo | Origin: http://localhost:8443
            403 | POST /echo | Origin: https://localhost:8443/
            403 | POST /echo | Origin: https://evil.example@localhost:8443
            403 | POST /echo | Origin: https://localhost:8443 https://evil.example
            403 | POST /echo | Origin: https://localhost:8443; Origin: https://evil.example
            403 | POST /echo | Origin: https://evil.example; Origin: https://localhost:8443
            403 | POST /echo | Sec-Fetch-Site: same-origin; Sec-Fetch-Site: cross-site
            403 | POST /echo | Host: localhost; Origin: https://localhost.evil.example
            403 | POST /echo | X-HTTP-Method-Override: GET; Origin: https://evil.example
            403 | PUT /echo | Origin: https://evil.example
            403 | PATCH /echo | Origin: https://evil.example
            403 | DELETE /echo | Origin: https://evil.example
            403 | PROPFIND /livez | Origin: https://evil.example
            # safe requests
            200 | GET /livez | Sec-Fetch-Site: cross-site; Sec-Fetch-Mode: navigate
            200 | GET /livez?verbose | Origin: https://evil.example
            200 | HEAD /livez | Sec-Fetch-Site: same-site
            # upgrades and streams
            403 | GET /livez | Origin: https://evil.example; Connection: Upgrade; Upgrade: websocket
            403 | GET /livez | Sec-Fetch-Site: cross-site; Accept: text/event-stream
            403 | GET /livez?watch=true | Sec-Fetch-Site: cross-site
            403 | GET /livez?a=b&w%61tch=1 | Sec-Fetch-Site: cross-site
            403 | GET /livez?follow | Sec-Fetch-Site: cross-site
            400 | GET /livez?watch=%FF | Sec-Fetch-Site: cross-site
            403 | GET /api/v1/watch/secrets | Sec-Fetch-Site: cross-site
            403 | GET /api/v1/w%61tch/secrets | Sec-Fetch-Site: cross-site
            403 | GET /revisions | Sec-Fetch-Site: cross-site
            403 | GET /decisions | Sec-Fetch-Site: same-site
            # allowed origins
            200 | POST /echo | Origin: https://console.example.com
            200 | POST /echo | Sec-Fetch-Site: cross-site; Origin: https://console.example.com
            204 | OPTIONS /echo | Origin: https://console.example.com; Access-Control-Request-Method: POST
            403 | POST /echo | Origin: http://console.example.com
            403 | POST /echo | Origin: https://console.example.com.evil.example
            """)
    void aPageOfAnotherOriginIsRefused(int code, String line, String fields) throws IOException {
        assertThat(send(line, fields == null ? "" : fields, "Content-Type: text/plain")
                        .code())
                .isEqualTo(code);
    }

    private static RawAnswer send(String line, String fields, String type) throws IOException {
        StringBuilder request = new StringBuilder(line + " HTTP/1.1\r\n");
        if (!fields.startsWith("Host:")) {
            request.append("Host: localhost:8443\r\n");
        }
        Stream.of(fields.split(";"))
                .map(String::strip)
                .filter(field -> !field.isEmpty())
                .forEach(field -> request.append(field).append("\r\n"));
        if (!line.startsWith("GET") && !line.startsWith("HEAD")) {
            request.append("Content-Length: 2\r\n")
                    .append(type.isEmpty() ? "" : type + "\r\n")
                    .append("\r\n{}");
        } else {
            request.append("\r\n");
        }
        try (RawClient client = server.connect()) {
            client.send(request.toString());
            return line.startsWith("HEAD") ? client.answerWithoutBody() : client.answer();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, ''",
        "415, Sec-Fetch-Site: same-origin",
        "415, Sec-Fetch-Site: none",
        "415, Origin: https://localhost:8443"
    })
    void onlyABrowserNeedsAContentType(int code, String field) throws IOException {
        assertThat(send("POST /echo", field, "").code()).isEqualTo(code);
        assertThat(send("POST /echo", field, "Content-Type: application/json").code())
                .isEqualTo(200);
    }

    @Test
    void onlyAllowedOriginsReadResponses() throws IOException {
        RawAnswer preflight =
                send("OPTIONS /echo", "Origin: https://console.example.com; Access-Control-Request-Method: PATCH", "");
        assertThat(preflight.field("Access-Control-Allow-Methods").orElseThrow())
                .contains("PATCH");
        RawAnswer answer = send("GET /livez", "Origin: https://console.example.com", "");
        assertThat(answer.field("Access-Control-Allow-Origin")).contains("https://console.example.com");
        assertThat(answer.field("Access-Control-Allow-Credentials")).contains("true");
        assertThat(answer.field("Vary")).contains("Origin");
        assertThat(send("GET /livez", EVIL, "").field("Access-Control-Allow-Origin"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/metrics", "/nowhere", "/status", "/bug", "/error", "/a//b", "/livez?watch"})
    void responsesForbidFramingSniffingAndScripts(String path) throws IOException {
        RawAnswer answer = send("GET " + path, EVIL, "");
        assertThat(answer.field("X-Content-Type-Options")).as("%s", answer).contains("nosniff");
        assertThat(answer.field("X-Frame-Options")).contains("DENY");
        assertThat(answer.field("Content-Security-Policy")).contains("default-src 'none'; frame-ancestors 'none'");
        assertThat(answer.field("Cross-Origin-Resource-Policy")).contains("same-origin");
    }

    @Test
    void overHttp2TheAuthorityIsTheHost() throws IOException, InterruptedException {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(server.client).build()) {
            URI echo = URI.create(server.server.url() + "/echo");
            String own = server.server.url();
            for (String origin : new String[] {own, "https://evil.example", "null"}) {
                HttpResponse<String> answer = client.send(
                        HttpRequest.newBuilder(echo)
                                .header("Origin", origin)
                                .header("Content-Type", "text/plain")
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
                assertThat(answer.statusCode()).as(origin).isEqualTo(origin.equals(own) ? 200 : 403);
                assertThat(answer.headers().allValues("X-Frame-Options")).containsExactly("DENY");
            }
        }
    }
}
