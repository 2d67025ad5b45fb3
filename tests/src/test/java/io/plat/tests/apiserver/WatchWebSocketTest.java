package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.OpenWatch;
import io.plat.tests.process.StandaloneServer;
import io.plat.tests.process.TlsConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Watches over WebSocket, read by the JDK's client. */
class WatchWebSocketTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static StandaloneServer server;

    @BeforeAll
    static void start() {
        server = StandaloneServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** All data received by a socket. */
    private static final class Received implements WebSocket.Listener {
        final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
        final BlockingQueue<byte[]> binaries = new LinkedBlockingQueue<>();
        final CompletableFuture<Integer> closed = new CompletableFuture<>();
        final CompletableFuture<String> pong = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                texts.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            byte[] message = new byte[data.remaining()];
            data.get(message);
            binaries.add(message);
            socket.request(1);
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
            pong.complete(StandardCharsets.UTF_8.decode(message).toString());
            socket.request(1);
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            closed.complete(code);
            return CompletableFuture.completedStage(null);
        }

        @Override
        public void onError(WebSocket socket, Throwable cause) {
            closed.completeExceptionally(cause);
        }

        JsonNode next() throws Exception {
            String message = texts.poll(20, TimeUnit.SECONDS);
            assertThat(message).as("a message").isNotNull();
            return JSON.readTree(message);
        }
    }

    private static URI secure(URI target) {
        return URI.create(target.toString().replaceFirst("^https", "wss"));
    }

    private static WebSocket open(HttpsClient client, URI target, String accept, Received received) throws Exception {
        return client.http()
                .newWebSocketBuilder()
                .header("Accept", accept)
                .buildAsync(secure(target), received)
                .get(20, TimeUnit.SECONDS);
    }

    @Test
    void eventsAreTextMessages() throws Exception {
        ConfigMaps maps = ConfigMaps.in(server, "texts");
        var received = new Received();
        WebSocket socket =
                open(server.client(), maps.at("watch=1&resourceVersion=" + maps.now()), "application/json", received);
        long created = maps.create("a");
        assertThat(OpenWatch.inShort(received.next())).isEqualTo("ADDED a@" + created);
        long updated = maps.update("a", "", "x".repeat(200_000));
        JsonNode large = received.next();
        assertThat(OpenWatch.inShort(large)).isEqualTo("MODIFIED a@" + updated);
        assertThat(large.path("object").path("data").path("value").asText()).hasSize(200_000);
        socket.sendPing(ByteBuffer.wrap("ping".getBytes(StandardCharsets.UTF_8)))
                .get(20, TimeUnit.SECONDS);
        assertThat(received.pong.get(20, TimeUnit.SECONDS)).isEqualTo("ping");
        socket.sendText("ignored client message", true).get(20, TimeUnit.SECONDS);
        long next = maps.create("b");
        assertThat(OpenWatch.inShort(received.next())).isEqualTo("ADDED b@" + next);
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(20, TimeUnit.SECONDS);
        assertThat(received.closed.get(20, TimeUnit.SECONDS)).isEqualTo(WebSocket.NORMAL_CLOSURE);
    }

    @Test
    void binaryEventsAreBinaryMessages() throws Exception {
        ConfigMaps maps = ConfigMaps.in(server, "binaries");
        var received = new Received();
        open(
                server.client(),
                maps.at("watch=1&resourceVersion=" + maps.now()),
                "application/vnd.kubernetes.protobuf",
                received);
        maps.create("a");
        byte[] message = received.binaries.poll(20, TimeUnit.SECONDS);
        assertThat(message).isNotNull();
        assertThat(new String(message, StandardCharsets.ISO_8859_1))
                .as("a WatchEvent: its type, then its object in an envelope")
                .startsWith("\n\u0005ADDED\u0012")
                .contains("k8s\u0000");
        assertThat(received.texts).isEmpty();
    }

    @Test
    void socketIsClosedGracefullyAtTheTimeout() throws Exception {
        ConfigMaps maps = ConfigMaps.in(server, "timed");
        var received = new Received();
        open(
                server.client(),
                maps.at("watch=1&timeoutSeconds=1&resourceVersion=" + maps.now()),
                "application/json",
                received);
        assertThat(received.closed.get(20, TimeUnit.SECONDS)).isEqualTo(WebSocket.NORMAL_CLOSURE);
        assertThat(received.texts).isEmpty();
    }

    @Test
    void unwatchablePathRefusesTheHandshake() {
        assertThatThrownBy(() -> open(
                        server.client(),
                        server.at("/api/v1/configmaps?watch=1&resourceVersion=x"),
                        "application/json",
                        new Received()))
                .isInstanceOfSatisfying(
                        ExecutionException.class,
                        e -> assertThat(e.getCause())
                                .isInstanceOfSatisfying(
                                        WebSocketHandshakeException.class,
                                        rejected -> assertThat(
                                                        rejected.getResponse().statusCode())
                                                .isEqualTo(400)));
    }

    @Test
    void deniedWatchRefusesTheHandshake() throws Exception {
        try (DelegatingSystem system = DelegatingSystem.start();
                HttpsClient mallory = system.client("mallory");
                HttpsClient admin = system.client("admin")) {
            URI target = system.at("/api/v1/namespaces/default/secrets?watch=1");
            assertThat(mallory.get(target).statusCode()).isEqualTo(403);
            assertThatThrownBy(() -> open(mallory, target, "application/json", new Received()))
                    .isInstanceOfSatisfying(
                            ExecutionException.class,
                            e -> assertThat(e.getCause())
                                    .isInstanceOfSatisfying(
                                            WebSocketHandshakeException.class,
                                            rejected -> assertThat(rejected.getResponse()
                                                            .statusCode())
                                                    .isEqualTo(403)));
            var received = new Received();
            open(admin, target, "application/json", received).abort();
        }
    }

    @Test
    void invalidHandshakeIsRefused() throws IOException {
        try (TlsConnection connection = TlsConnection.to(server)) {
            connection.get("/api/v1/configmaps?watch=1", "Upgrade: websocket", "Connection: Upgrade");
            assertThat(connection.head()).startsWith("HTTP/1.1 400");
        }
        try (TlsConnection connection = TlsConnection.to(server)) {
            connection.get(
                    "/api/v1/configmaps?watch=1",
                    "Upgrade: websocket",
                    "Connection: Upgrade",
                    "Sec-WebSocket-Version: 7",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
            assertThat(connection.head()).startsWith("HTTP/1.1 400");
        }
    }
}
