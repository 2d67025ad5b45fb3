package io.plat.tests.stock;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends recorded requests to a server, each with its client certificate. */
final class Replay implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern WARNING = Pattern.compile("299 \\S+ \"((?:[^\"\\\\]|\\\\.)*)\"");

    private final URI server;
    private final Map<String, HttpsClient> clients = new HashMap<>();

    /** Requires the certificates {@code admin}, {@code user}, {@code imp} and {@code kubelet}. */
    Replay(URI server, TestPki pki) {
        this.server = server;
        for (String name : List.of("admin", "user", "imp", "kubelet")) {
            clients.put(name, HttpsClient.of(pki, name));
        }
        clients.put("anonymous", HttpsClient.of(pki, null));
    }

    /** Sends one request and returns the answer. */
    Answer send(Exchange exchange) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + exchange.path()));
        Map<String, String> headers = new HashMap<>(exchange.headers());
        headers.putIfAbsent("Accept", "application/json");
        headers.putIfAbsent("Content-Type", "application/json");
        // The recorded requests had no User-Agent.
        headers.putIfAbsent("User-Agent", "");
        headers.forEach(request::header);
        request.method(
                exchange.method(),
                exchange.body().isEmpty()
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(exchange.body(), StandardCharsets.ISO_8859_1));
        try {
            HttpResponse<String> answer = Objects.requireNonNull(clients.get(exchange.who()))
                    .http()
                    .send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            String type = answer.headers().firstValue("Content-Type").orElse("");
            return new Answer(answer.statusCode(), type, body(answer.body(), type), warnings(answer));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static JsonNode body(String text, String type) {
        if (text.isEmpty()) {
            return MissingNode.getInstance();
        }
        return type.startsWith("application/json") ? json(text) : new TextNode(text);
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return new TextNode(text);
        }
    }

    private static List<String> warnings(HttpResponse<?> answer) {
        List<String> warnings = new ArrayList<>();
        for (String header : answer.headers().allValues("Warning")) {
            Matcher warning = WARNING.matcher(header);
            while (warning.find()) {
                warnings.add(header.substring(warning.start(), warning.end()));
            }
        }
        return warnings;
    }

    @Override
    public void close() {
        clients.values().forEach(HttpsClient::close);
    }
}
