package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.watch.WatchLimits;
import io.plat.http.HttpLimits;
import io.plat.http.commandline.UsageException;
import io.plat.http.process.StartException;
import io.plat.http.testing.RawClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Timeouts and limits of watches, on a server with low limits. */
@Timeout(60)
class WatchLimitsEndToEndTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final Duration SHORT = Duration.ofMillis(400);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Path directory;

    WatchLimitsEndToEndTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private TestingApiServer start(Duration idle, WatchLimits watches)
            throws IOException, UsageException, StartException {
        HttpLimits standard = HttpLimits.DEFAULT;
        var http = new HttpLimits(
                standard.requestHeaderBytes(),
                standard.requestHeaders(),
                standard.bodyBytes(),
                idle,
                standard.requestTimeout(),
                standard.connections());
        return TestingApiServer.start(directory, new ServerLimits(http, watches), "--authorization-mode=AlwaysAllow");
    }

    private static TestingWatch watch(TestingApiServer server, String query) throws Exception {
        return TestingWatch.open(server, server.pki().client("w"), query);
    }

    private static String create(TestingApiServer server, String name) throws IOException {
        return server.admin()
                .post(MAPS, "{\"metadata\":{\"name\":\"" + name + "\"}}")
                .json()
                .path("metadata")
                .path("resourceVersion")
                .asText();
    }

    @Test
    void defaultLimitsAreThoseOfKubeApiserver() {
        assertThat(WatchLimits.DEFAULT)
                .isEqualTo(new WatchLimits(10_000, Duration.ofSeconds(10), Duration.ofMinutes(1)));
        assertThatThrownBy(() -> new WatchLimits(0, LONG, LONG)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WatchLimits(1, Duration.ZERO, LONG)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WatchLimits(1, LONG, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void bookmarksAreSentPeriodicallyOnRequest() throws Exception {
        try (TestingApiServer server = start(LONG, new WatchLimits(10, LONG, Duration.ofMillis(50)));
                TestingWatch without = watch(server, "");
                TestingWatch with = watch(server, "allowWatchBookmarks=true")) {
            long before = bookmark(with.next());
            for (int i = 0; i < 5; i++) {
                long next = bookmark(with.next());
                assertThat(next).isGreaterThanOrEqualTo(before);
                before = next;
            }
            // A write outside of the watched range only causes a bookmark.
            long elsewhere = Long.parseLong(server.admin()
                    .post("/api/v1/namespaces/default/secrets", "{\"metadata\":{\"name\":\"s\"}}")
                    .json()
                    .path("metadata")
                    .path("resourceVersion")
                    .asText());
            while (before < elsewhere) {
                before = bookmark(with.next());
            }
            create(server, "a");
            assertThat(without.nextInShort()).isEqualTo("ADDED a");
        }
    }

    private static long bookmark(JsonNode event) {
        assertThat(event.path("type").asText()).isEqualTo("BOOKMARK");
        assertThat(event.path("object").path("kind").asText()).isEqualTo("ConfigMap");
        return event.path("object").path("metadata").path("resourceVersion").asLong();
    }

    @Test
    void watchBeyondTheLimitIsRefusedAndOtherRequestsAreNot() throws Exception {
        try (TestingApiServer server = start(LONG, new WatchLimits(2, LONG, LONG));
                TestingWatch one = watch(server, "")) {
            try (TestingWatch other = watch(server, "");
                    TestingWatch refused = watch(server, "")) {
                assertThat(other.code()).isEqualTo(200);
                assertThat(refused.code()).isEqualTo(429);
                assertThat(refused.header("Retry-After")).isEqualTo("1");
                JsonNode status = refused.next();
                assertThat(status.path("kind").asText()).isEqualTo("Status");
                assertThat(status.path("reason").asText()).isEqualTo("TooManyRequests");
                create(server, "a");
                assertThat(one.nextInShort()).isEqualTo("ADDED a");
                assertThat(other.nextInShort()).isEqualTo("ADDED a");
                assertThat(server.admin().get(MAPS).code()).isEqualTo(200);
            }
            await("a place that is free again").until(() -> {
                try (TestingWatch next = watch(server, "")) {
                    return next.code() == 200;
                }
            });
        }
    }

    @Test
    void oldestWatchOfTheLargestClientIsEvictedForAnotherClient() throws Exception {
        try (TestingApiServer server = start(LONG, new WatchLimits(4, LONG, LONG));
                TestingWatch oldest = watch(server, "");
                TestingWatch second = watch(server, "");
                TestingWatch third = watch(server, "");
                TestingWatch fourth = watch(server, "")) {
            try (TestingWatch other = TestingWatch.open(server, server.pki().client("other"), "")) {
                assertThat(other.code()).isEqualTo(200);
                assertThatThrownBy(oldest::next).isInstanceOf(EOFException.class);
                create(server, "a");
                for (TestingWatch each : List.of(second, third, fourth, other)) {
                    assertThat(each.nextInShort()).isEqualTo("ADDED a");
                }
            }
        }
    }

    /** Received WebSocket messages; {@code ""} is the end. */
    private static final class Texts implements WebSocket.Listener {
        private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
            received.add(text.toString());
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            received.add("");
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable cause) {
            received.add("");
        }
    }

    @Test
    void idleWatchOutlivesTheIdleTimeoutOfConnections() throws Exception {
        var texts = new Texts();
        try (TestingApiServer server = start(SHORT, new WatchLimits(10, LONG, LONG));
                TestingWatch watch = watch(server, "");
                HttpClient http = HttpClient.newBuilder()
                        .sslContext(server.pki().client("w"))
                        .build()) {
            WebSocket socket = http.newWebSocketBuilder()
                    .buildAsync(
                            URI.create("wss://localhost:" + server.address().getPort() + "/api/v1/configmaps?watch=1"),
                            texts)
                    .get(20, TimeUnit.SECONDS);
            for (int i = 0; i < 2; i++) {
                try (RawClient idle =
                        new RawClient(server.address(), server.pki().client("i"))) {
                    assertThat(idle.get("/api/v1/namespaces/default").code()).isEqualTo(200);
                    assertThat(idle.closedWithoutAnother()).isTrue();
                }
            }
            create(server, "late");
            assertThat(watch.nextInShort()).isEqualTo("ADDED late");
            assertThat(texts.received.poll(20, TimeUnit.SECONDS)).contains("\"ADDED\"", "\"late\"");
            socket.abort();
        }
    }

    @Test
    void onlyTheSlowReaderIsDisconnected() throws Exception {
        try (TestingApiServer server = start(LONG, new WatchLimits(10, SHORT, LONG));
                TestingWatch read = watch(server, "");
                RawClient unread = new RawClient(server.address(), server.pki().client("u"))) {
            unread.send("GET /api/v1/configmaps?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(unread.answerWithoutBody().code()).isEqualTo(200);
            String large = "x".repeat(900_000);
            int written = 0;
            while (running(server) == 2) {
                assertThat(written).as("the memory of buffers is bounded").isLessThan(200);
                String name = "o" + written++;
                server.admin()
                        .post(MAPS, "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"k\":\"" + large + "\"}}");
                assertThat(read.nextInShort()).isEqualTo("ADDED " + name);
            }
            create(server, "afterwards");
            assertThat(read.nextInShort()).isEqualTo("ADDED afterwards");
        }
    }

    private static long running(TestingApiServer server) throws IOException {
        return server.admin()
                .get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("apiserver_longrunning_requests{"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
