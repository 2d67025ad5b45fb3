package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.OpenWatch;
import io.plat.tests.process.StandaloneServer;
import io.plat.tests.process.TlsConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Cost of watches: threads, and effects of a slow client on others. */
@Order(1)
class WatchLoadTest {
    private static final int MANY = Boolean.getBoolean("plat.full") ? 1_000 : 300;
    private static final String LARGE = "x".repeat(100_000);

    @Test
    void watchesOccupyNoThreads() throws IOException {
        try (StandaloneServer server = StandaloneServer.startProcess()) {
            ConfigMaps maps = ConfigMaps.in(server, "many");
            long from = maps.now();
            var watches = new ArrayList<OpenWatch>();
            try {
                watches.add(OpenWatch.open(server.client(), maps.at("watch=1&resourceVersion=" + from)));
                maps.create("warm");
                watches.getFirst().next();
                long before = threads(server);
                for (int i = 1; i < MANY; i++) {
                    watches.add(OpenWatch.open(server.client(), maps.at("watch=1&resourceVersion=" + from)));
                    watches.getLast().next();
                }
                long version = maps.create("for-all");
                for (OpenWatch watch : watches) {
                    assertThat(watch.nextInShort()).isEqualTo("ADDED for-all@" + version);
                }
                assertThat(threads(server) - before)
                        .as("threads for %d watches", MANY)
                        .isLessThan(40);
            } finally {
                watches.forEach(OpenWatch::close);
            }
        }
    }

    /** Platform threads as counted by the system; waiting virtual threads need none. */
    private static long threads(StandaloneServer server) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + server.process().pid() + "/status")).stream()
                .filter(line -> line.startsWith("Threads:"))
                .mapToLong(line -> Long.parseLong(line.substring(8).strip()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void onlyTheUnreadWatchIsDropped() throws IOException {
        try (StandaloneServer server = StandaloneServer.start()) {
            ConfigMaps maps = ConfigMaps.in(server, "slow");
            long from = maps.now();
            try (TlsConnection unread = TlsConnection.to(server);
                    OpenWatch read = OpenWatch.open(server.client(), maps.at("watch=1&resourceVersion=" + from))) {
                unread.get(maps.path() + "?watch=1&resourceVersion=" + from);
                assertThat(unread.head()).startsWith("HTTP/1.1 200");
                // More than the network buffers, as the receiver's buffer is small.
                int writes = 75;
                long last = 0;
                for (int i = 0; i < writes; i++) {
                    last = maps.create("o" + i, "", LARGE);
                }
                long expected = last;
                List<JsonNode> events = read.until(event -> ConfigMaps.version(event.path("object")) == expected);
                assertThat(events).hasSize(writes);
                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThat(running(server)).isEqualTo(1));
                assertThat(unread.drain())
                        .as("bytes sent before the disconnection")
                        .isLessThan((long) writes * LARGE.length());
                long another = maps.create("another");
                assertThat(read.nextInShort()).isEqualTo("ADDED another@" + another);
            }
        }
    }

    private static double running(StandaloneServer server) throws IOException {
        return Metrics.of(server.client(), server.at("/metrics"))
                .sum(series -> series.startsWith("apiserver_longrunning_requests{"));
    }

    @Test
    void watchBehindTheHistoryIsExpired() throws IOException {
        try (StandaloneServer server = StandaloneServer.start("--watch-history=changes:5")) {
            ConfigMaps maps = ConfigMaps.in(server, "behind");
            long from = maps.now();
            try (TlsConnection late = TlsConnection.to(server)) {
                late.get(maps.path() + "?watch=1&resourceVersion=" + from);
                assertThat(late.head()).startsWith("HTTP/1.1 200");
                createAtOnce(maps, 60);
                String received = late.chunks();
                String end = received.substring(received.lastIndexOf("{\"type\":"));
                assertThat(end)
                        .startsWith("{\"type\":\"ERROR\",\"object\":{")
                        .contains("\"code\":410", "\"reason\":\"Expired\"", "too old resource version");
                late.get("/api/v1/namespaces/default");
                assertThat(late.head()).as("the stream ended normally").startsWith("HTTP/1.1 200");
            }
            var expired = server.client().get(maps.at("watch=1&resourceVersion=" + from));
            assertThat(expired.statusCode()).isEqualTo(410);
            assertThat(expired.body()).contains("\"reason\":\"Expired\"", "too old resource version: " + from);
        }
    }

    /** Concurrently, since a slow client is disconnected after 10 s, which would add up. */
    private static void createAtOnce(ConfigMaps maps, int count) {
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> created = IntStream.range(0, count)
                    .mapToObj(i -> writers.submit(() -> maps.create("o" + i, "", LARGE)))
                    .toList();
            assertThat(created).allSatisfy(each -> assertThat(each.get()).isPositive());
        }
    }

    @Test
    void watchesEndGracefullyOnShutdown() {
        try (StandaloneServer server = StandaloneServer.start()) {
            ConfigMaps maps = ConfigMaps.in(server, "stopping");
            try (OpenWatch one = OpenWatch.open(server.client(), maps.at("watch=1"));
                    OpenWatch other = OpenWatch.open(server.client(), maps.at("watch=1&allowWatchBookmarks=true"))) {
                long began = System.nanoTime();
                assertThat(server.process().terminate()).isZero();
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
                assertThat(one.rest()).isEmpty();
                assertThat(other.rest()).hasSize(1);
            }
        }
    }
}
