package io.plat.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;

/** A watch of config maps over its own connection, read event by event. */
final class TestingWatch implements AutoCloseable {
    private final HttpClient http;
    private final HttpResponse<InputStream> answer;
    private final BufferedReader lines;

    private TestingWatch(HttpClient http, HttpResponse<InputStream> answer) {
        this.http = http;
        this.answer = answer;
        this.lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    static TestingWatch open(TestingApiServer server, SSLContext tls, String query)
            throws IOException, InterruptedException {
        HttpClient http = HttpClient.newBuilder()
                .sslContext(tls)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(
                        "https://localhost:" + server.address().getPort() + "/api/v1/configmaps?watch=1&" + query))
                .build();
        return new TestingWatch(http, http.send(request, HttpResponse.BodyHandlers.ofInputStream()));
    }

    int code() {
        return answer.statusCode();
    }

    String header(String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    /** Returns the next event; waits for it. */
    JsonNode next() throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw new EOFException("the watch has ended");
        }
        return new JsonMapper().readTree(line);
    }

    /** Returns the next event's type and object name. */
    String nextInShort() throws IOException {
        JsonNode event = next();
        return (event.path("type").asText() + " "
                        + event.path("object").path("metadata").path("name").asText())
                .strip();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
