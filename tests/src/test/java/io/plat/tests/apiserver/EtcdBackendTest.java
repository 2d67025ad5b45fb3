package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Command;
import io.plat.tests.process.EtcdServer;
import io.plat.tests.process.Finished;
import io.plat.tests.process.LoneServer;
import io.plat.tests.process.OpenWatch;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two servers that keep their objects in one etcd, which fails in between. */
class EtcdBackendTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private static EtcdServer etcd;
    private static LoneServer one;
    private static LoneServer two;

    @BeforeAll
    static void start() {
        etcd = EtcdServer.start();
        // At the same time: both find nothing there, and make what has to be there.
        CompletableFuture<LoneServer> other = CompletableFuture.supplyAsync(() -> LoneServer.startOn(etcd));
        one = LoneServer.startOn(etcd);
        two = other.join();
    }

    @AfterAll
    static void stop() {
        for (AutoCloseable part : new AutoCloseable[] {one, two, etcd}) {
            close(part);
        }
    }

    private static void close(AutoCloseable part) {
        if (part == null) {
            return;
        }
        try {
            part.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static ConfigMaps maps() {
        return ConfigMaps.in(one, "team-" + NAMESPACES.incrementAndGet());
    }

    /** The same maps, as the other server has them. */
    private static ConfigMaps beside(ConfigMaps maps) {
        return new ConfigMaps(two, maps.namespace());
    }

    private static HttpResponse<String> get(LoneServer server, String path) {
        try {
            return server.client().get(server.at(path));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode json(HttpResponse<String> answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new AssertionError(answer.body(), e);
        }
    }

    @Test
    void aWriteThroughOneIsThereThroughTheOtherAtItsRevision() {
        ConfigMaps here = maps();
        ConfigMaps there = beside(here);
        for (int i = 0; i < 9; i++) {
            long written = here.create("x" + i);
            HttpResponse<String> read = get(two, here.path() + "/x" + i);
            assertThat(read.statusCode()).isEqualTo(200);
            assertThat(json(read).at("/metadata/resourceVersion").asLong()).isEqualTo(written);
            long replaced = there.update("x" + i, "", "from the other");
            assertThat(replaced).isGreaterThan(written);
            assertThat(json(get(one, here.path() + "/x" + i)).at("/data/value").asText())
                    .isEqualTo("from the other");
            JsonNode past = json(get(two, here.path() + "?resourceVersionMatch=Exact&resourceVersion=" + written));
            assertThat(past.at("/items/" + i + "/data/value").asText()).isEqualTo("0");
        }
    }

    @Test
    void aWatchGoesOnAtTheOther() {
        ConfigMaps here = maps();
        long first = here.create("a");
        long second = here.create("b");
        try (OpenWatch watch = OpenWatch.open(two.client(), beside(here).at("watch=1&resourceVersion=" + first))) {
            assertThat(watch.nextInShort()).isEqualTo("ADDED b@" + second);
            long third = here.update("a", "", "1");
            assertThat(watch.nextInShort()).isEqualTo("MODIFIED a@" + third);
            beside(here).delete("b");
            assertThat(watch.nextInShort()).startsWith("DELETED b@");
        }
    }

    @Test
    void theChunksOfAListGoOnAtTheOther() {
        ConfigMaps maps = maps();
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            maps.create("x" + i);
            made.add("x" + i);
        }
        List<String> seen = new ArrayList<>();
        String token = "";
        LoneServer server = one;
        do {
            JsonNode chunk = json(get(server, maps.path() + "?limit=2&continue=" + token));
            chunk.path("items")
                    .forEach(item -> seen.add(item.at("/metadata/name").asText()));
            token = chunk.at("/metadata/continue").asText();
            maps.create("later" + seen.size());
            server = server == one ? two : one;
        } while (!token.isEmpty());
        assertThat(seen)
                .filteredOn(name -> made.contains(name) || name.equals("kube-root-ca.crt"))
                .containsSequence(made);
        assertThat(seen).noneMatch(name -> name.startsWith("later"));
    }

    @Test
    void kubectlWorksOnBoth() {
        assumeThat(Command.installed("kubectl")).as("kubectl is not installed").isTrue();
        assertThat(kubectl(one, "create", "namespace", "kube").err()).isEmpty();
        assertThat(kubectl(two, "create", "configmap", "web", "-n", "kube", "--from-literal=a=b")
                        .out())
                .contains("configmap/web created");
        assertThat(kubectl(one, "get", "configmap", "web", "-n", "kube", "-o", "jsonpath={.data.a}")
                        .out())
                .isEqualTo("b");
        assertThat(kubectl(two, "delete", "namespace", "kube", "--timeout=20s").out())
                .contains("namespace \"kube\" deleted");
        assertThat(kubectl(one, "get", "namespace", "kube").err()).contains("NotFound");
    }

    private static Finished kubectl(LoneServer server, String... arguments) {
        List<String> words = new ArrayList<>(List.of("kubectl", "--kubeconfig=" + server.clientFile()));
        words.addAll(List.of(arguments));
        return Command.of(words.toArray(String[]::new)).run();
    }

    @Test
    void whenEtcdIsGoneNothingIsAnsweredAndWhenItIsBackNothingIsLost() {
        ConfigMaps maps = maps();
        long before = maps.create("before");
        try (OpenWatch watch = OpenWatch.open(two.client(), beside(maps).at("watch=1&resourceVersion=" + before))) {
            etcd.kill();
            await().atMost(SOON)
                    .untilAsserted(() ->
                            assertThat(get(one, "/readyz/etcd").statusCode()).isEqualTo(500));
            assertThat(get(one, "/livez").statusCode()).isEqualTo(200);
            assertThat(get(one, maps.path() + "/before").statusCode()).isEqualTo(503);
            etcd.startAgain();
            await().atMost(SOON)
                    .untilAsserted(() ->
                            assertThat(get(one, "/readyz/etcd").statusCode()).isEqualTo(200));
            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(get(two, "/readyz").statusCode()).isEqualTo(200));
            assertThat(get(two, maps.path() + "/before").statusCode()).isEqualTo(200);
            long after = maps.create("after");
            assertThat(watch.nextInShort()).isEqualTo("ADDED after@" + after);
        }
    }
}
