package io.plat.apiserver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import javax.net.ssl.SSLContext;

/** Sends requests byte for byte, each over a new connection. */
final class TestingClient {
    private final InetSocketAddress server;
    private final SSLContext tls;
    private final String headers;

    TestingClient(String url, SSLContext tls) {
        this(new InetSocketAddress(URI.create(url).getHost(), URI.create(url).getPort()), tls, "");
    }

    private TestingClient(InetSocketAddress server, SSLContext tls, String headers) {
        this.server = server;
        this.tls = tls;
        this.headers = headers;
    }

    /** A response. */
    record Answer(RawAnswer raw) {
        int code() {
            return raw.code();
        }

        String body() {
            return raw.text();
        }

        String header(String name) {
            return raw.field(name).orElse("");
        }

        JsonNode json() throws IOException {
            return new JsonMapper().readTree(body());
        }

        String message() throws IOException {
            return json().path("message").asText();
        }
    }

    TestingClient with(String header, String value) {
        return new TestingClient(server, tls, headers + header + ": " + value + "\r\n");
    }

    Answer get(String target) throws IOException {
        return request("GET", target, "");
    }

    Answer post(String target, String body) throws IOException {
        return request("POST", target, body);
    }

    Answer put(String target, String body) throws IOException {
        return request("PUT", target, body);
    }

    Answer delete(String target) throws IOException {
        return request("DELETE", target, "");
    }

    Answer request(String method, String target, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        String length = bytes.length == 0 ? "" : "Content-Length: " + bytes.length + "\r\n";
        return raw(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers + length
                + "\r\n" + new String(bytes, ISO_8859_1));
    }

    /** Sends bytes and reads one response. */
    Answer raw(String request) throws IOException {
        try (RawClient client = new RawClient(server, tls)) {
            client.send(request);
            return new Answer(request.startsWith("HEAD ") ? client.answerWithoutBody() : client.answer());
        }
    }
}
