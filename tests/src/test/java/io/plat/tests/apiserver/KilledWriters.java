package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.RunningServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Clients that create, update and delete config maps until their server is killed. */
final class KilledWriters {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int WRITERS = 8;

    private final HttpsClient client;
    private final URI maps;
    private final String prefix;
    private final AtomicInteger next = new AtomicInteger();
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

    /**
     * Writers to one collection.
     *
     * @param prefix prefix of the names
     */
    KilledWriters(HttpsClient client, URI maps, String prefix) {
        this.client = client;
        this.maps = maps;
        this.prefix = prefix;
    }

    /**
     * Writes until this many writes are acknowledged, then kills the server.
     *
     * @return the acknowledged writes: {@code ADDED name@version}, {@code MODIFIED name@version}, {@code DELETED name}
     */
    Set<String> runUntil(int writes, RunningServer server) throws Exception {
        var enough = new CountDownLatch(writes);
        try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                running.add(threads.submit(() -> writeUntilCut(enough)));
            }
            boolean reached = enough.await(1, TimeUnit.MINUTES);
            server.kill();
            for (Future<?> writer : running) {
                writer.get();
            }
            assertThat(reached).as("enough writes within a minute").isTrue();
        }
        return acknowledged;
    }

    private void writeUntilCut(CountDownLatch enough) {
        try {
            while (true) {
                int number = next.getAndIncrement();
                String name = prefix + number;
                note("ADDED " + name + "@" + written("POST", maps, name, "1"), enough);
                URI one = URI.create(maps + "/" + name);
                if (number % 3 > 0) {
                    note("MODIFIED " + name + "@" + written("PUT", one, name, "2"), enough);
                }
                if (number % 3 > 1) {
                    send("DELETE", one, null);
                    note("DELETED " + name, enough);
                }
            }
        } catch (IOException aborted) {
            // The server was killed: this write was not acknowledged, and the writer ends.
            assertThat(enough.getCount())
                    .as("the server ended by itself: %s", aborted)
                    .isZero();
        }
    }

    private void note(String write, CountDownLatch enough) {
        acknowledged.add(write);
        enough.countDown();
    }

    private long written(String method, URI target, String name, String value) throws IOException {
        return ConfigMaps.version(JSON.readTree(send(method, target, ConfigMaps.body(name, "", value))));
    }

    private String send(String method, URI target, @Nullable String body) throws IOException {
        HttpResponse<String> answer = client.send(method, target, body);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        return answer.body();
    }
}
