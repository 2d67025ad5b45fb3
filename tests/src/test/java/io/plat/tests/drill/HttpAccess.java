package io.plat.tests.drill;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.plat.tests.process.HttpsClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Access over the clients' links, without misbehaviour. */
final class HttpAccess implements ServerAccess {
    private static final Duration HEAD = Duration.ofSeconds(3);

    private final DrilledSystem system;
    private final Map<String, HttpsClient> clients;

    HttpAccess(DrilledSystem system) {
        this.system = system;
        this.clients = Map.of(
                DrilledSystem.WRITER, HttpsClient.of(system.pki(), DrilledSystem.WRITER),
                DrilledSystem.STRANGER, HttpsClient.of(system.pki(), DrilledSystem.STRANGER));
    }

    private HttpsClient client(String user) {
        return Objects.requireNonNull(clients.get(user));
    }

    @Override
    public Reply send(Request request) throws IOException {
        URI target = system.at(request.server(), request.path());
        HttpRequest.Builder http = HttpRequest.newBuilder(target).timeout(request.timeout());
        String body = request.body();
        if (body == null) {
            http.method(request.method(), HttpRequest.BodyPublishers.noBody());
        } else {
            http.header("Content-Type", "application/json")
                    .method(request.method(), HttpRequest.BodyPublishers.ofString(body));
        }
        HttpResponse<String> answer = send(request.user(), http.build(), HttpResponse.BodyHandlers.ofString());
        return new Reply(answer.statusCode(), answer.body());
    }

    private <T> HttpResponse<T> send(String user, HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException {
        try {
            return client(user).http().send(request, handler);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public int watch(int server, String path, Consumer<String> events) throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(system.at(server, path)).timeout(HEAD).build();
        HttpResponse<InputStream> answer =
                send(DrilledSystem.WRITER, request, HttpResponse.BodyHandlers.ofInputStream());
        try (var lines = new BufferedReader(new InputStreamReader(answer.body(), UTF_8))) {
            for (String line = lines.readLine(); line != null && answer.statusCode() == 200; line = lines.readLine()) {
                events.accept(line);
            }
        }
        return answer.statusCode();
    }

    /** Aborts all open requests. */
    @Override
    public void close() {
        for (HttpsClient client : clients.values()) {
            client.http().shutdownNow();
            client.close();
        }
    }
}
