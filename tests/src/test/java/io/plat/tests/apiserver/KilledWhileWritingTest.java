package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Folders;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What was acknowledged is there after a kill -9 in the middle of writes, each object once and in its last state. */
class KilledWhileWritingTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CYCLES = Boolean.getBoolean("plat.full") ? 50 : 3;
    private static final int WRITERS = 8;
    private static final int ACKNOWLEDGED_BEFORE_THE_KILL = 200;

    @Test
    void losesNoAcknowledgedObject() throws Exception {
        Path data = Files.createTempDirectory("plat-data");
        Map<String, Long> acknowledged = new ConcurrentHashMap<>();
        try (TestPki pki = TestPki.create().client("admin", "system:masters")) {
            for (int cycle = 0; cycle < CYCLES; cycle++) {
                try (RunningServer server = start(pki, data)) {
                    assertAllThere(pki, server, acknowledged);
                    writeAndKill(pki, server, cycle, acknowledged);
                }
            }
            try (RunningServer server = start(pki, data)) {
                assertAllThere(pki, server, acknowledged);
                assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(CYCLES * ACKNOWLEDGED_BEFORE_THE_KILL);
            }
        } finally {
            Folders.delete(data);
        }
    }

    private static RunningServer start(TestPki pki, Path data) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow", "--data-dir=" + data));
        return RunningServer.start(Program.APISERVER_LITE, flags);
    }

    private static void writeAndKill(TestPki pki, RunningServer server, int cycle, Map<String, Long> acknowledged)
            throws Exception {
        CountDownLatch enough = new CountDownLatch(ACKNOWLEDGED_BEFORE_THE_KILL);
        AtomicInteger next = new AtomicInteger();
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
                HttpsClient client = HttpsClient.of(pki, "admin")) {
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                running.add(writers.submit(() -> writeUntilCut(client, server, cycle, next, acknowledged, enough)));
            }
            enough.await();
            server.kill();
            for (Future<?> writer : running) {
                writer.get();
            }
        }
    }

    private static void writeUntilCut(
            HttpsClient client,
            RunningServer server,
            int cycle,
            AtomicInteger next,
            Map<String, Long> acknowledged,
            CountDownLatch enough) {
        try {
            while (true) {
                String name = "c" + cycle + "-" + next.getAndIncrement();
                HttpResponse<String> created = client.post(
                        server.at("/api/v1/namespaces/default/configmaps"),
                        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                                + "\"},\"data\":{\"written\":\"" + name + "\"}}");
                if (created.statusCode() != 201) {
                    throw new AssertionError(created.body());
                }
                acknowledged.put(name, version(JSON.readTree(created.body())));
                enough.countDown();
            }
        } catch (IOException cut) {
            // The server is gone: this write was not acknowledged, and the writer's work is over.
            assertThat(enough.getCount())
                    .as("the server ended by itself: %s", cut)
                    .isZero();
        }
    }

    private static void assertAllThere(TestPki pki, RunningServer server, Map<String, Long> acknowledged)
            throws IOException {
        try (HttpsClient client = HttpsClient.of(pki, "admin")) {
            JsonNode list = JSON.readTree(client.get(server.at("/api/v1/namespaces/default/configmaps"))
                    .body());
            Map<String, Long> stored = new ConcurrentHashMap<>();
            long listVersion = version(list);
            for (JsonNode item : list.path("items")) {
                String name = item.path("metadata").path("name").asText();
                assertThat(item.path("data").path("written").asText()).isEqualTo(name);
                assertThat(stored.put(name, version(item)))
                        .as("%s is there once", name)
                        .isNull();
                assertThat(version(item)).isLessThanOrEqualTo(listVersion);
            }
            assertThat(stored).containsAllEntriesOf(acknowledged);
        }
    }

    private static long version(JsonNode object) {
        return Long.parseLong(object.path("metadata").path("resourceVersion").asText());
    }
}
