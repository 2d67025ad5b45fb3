package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.tests.process.OpenWatch;
import io.plat.tests.process.StandaloneServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * During writes, watches that are interrupted and resumed deliver every change exactly once and in order: applying them to a model yields
 * the server's state.
 */
class WatchCompletenessTest {
    private static final int WRITERS = 4;
    private static final int WRITES_EACH = Boolean.getBoolean("plat.full") ? 5_000 : 300;
    private static final int WATCHERS = 4;
    private static final int OBJECTS = 12;
    private static final String END = "end";

    /** Parameters of a watch, and whether it includes an object with this label. */
    private record Selection(String query, String label) {
        boolean follows(JsonNode object) {
            return label.isEmpty()
                    || object.path("metadata")
                            .path("labels")
                            .path("app")
                            .asText()
                            .equals(label);
        }
    }

    @Test
    void deliversEveryChangeOnceInOrder() throws Exception {
        long seed = System.nanoTime();
        try (StandaloneServer server = StandaloneServer.start();
                ExecutorService threads = Executors.newCachedThreadPool()) {
            ConfigMaps maps = ConfigMaps.in(server, "model");
            long from = maps.now();
            List<Future<List<JsonNode>>> watchers = new ArrayList<>();
            List<Selection> requested = new ArrayList<>();
            for (int watcher = 0; watcher < WATCHERS; watcher++) {
                Selection one = watcher % 2 == 0 ? new Selection("", "") : new Selection("&labelSelector=app%3Da", "a");
                var random = new Random(seed + 100 + watcher);
                requested.add(one);
                watchers.add(threads.submit(() -> follow(maps, one, from, random)));
            }
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                var random = new Random(seed + writer);
                int number = writer;
                writers.add(threads.submit(() -> write(maps, number, random)));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
            maps.create(END, "\"app\":\"a\"", "0");
            JsonNode last = maps.send("GET", maps.at(""), null);
            List<JsonNode> everything = watchers.getFirst().get();
            assertThat(everything)
                    .as("seed %d: each write is a change, each change an event", seed)
                    .hasSizeGreaterThan(WRITERS * WRITES_EACH / 2);
            for (int i = 0; i < WATCHERS; i++) {
                assertRight(requested.get(i), watchers.get(i).get(), last, seed);
                if (requested.get(i).label().isEmpty()) {
                    assertThat(watchers.get(i).get())
                            .as("seed %d: all see the same", seed)
                            .isEqualTo(everything);
                }
            }
        }
    }

    private static void write(ConfigMaps maps, int writer, Random random) {
        var exists = new HashMap<String, Boolean>();
        for (int i = 0; i < WRITES_EACH; i++) {
            String name = "w" + writer + "-" + random.nextInt(OBJECTS);
            String labels = "\"app\":\"" + (random.nextBoolean() ? "a" : "b") + "\"";
            if (!exists.getOrDefault(name, false)) {
                maps.create(name, labels, Integer.toString(i));
                exists.put(name, true);
            } else if (random.nextInt(4) == 0) {
                maps.delete(name);
                exists.put(name, false);
            } else {
                maps.update(name, labels, Integer.toString(i));
            }
        }
    }

    /** Reads some events, disconnects, and resumes from the last version. */
    private static List<JsonNode> follow(ConfigMaps maps, Selection requested, long from, Random random) {
        var events = new ArrayList<JsonNode>();
        long version = from;
        while (!atTheEnd(events)) {
            String query = "watch=1&resourceVersion=" + version + requested.query();
            try (OpenWatch watch = OpenWatch.open(maps.server().client(), maps.at(query))) {
                for (int some = 1 + random.nextInt(80); some > 0 && !atTheEnd(events); some--) {
                    JsonNode event = watch.next();
                    events.add(event);
                    version = ConfigMaps.version(event.path("object"));
                }
            }
        }
        return events;
    }

    private static boolean atTheEnd(List<JsonNode> events) {
        return !events.isEmpty()
                && events.getLast()
                        .path("object")
                        .path("metadata")
                        .path("name")
                        .asText()
                        .equals(END);
    }

    private static void assertRight(Selection requested, List<JsonNode> events, JsonNode last, long seed) {
        Map<String, JsonNode> model = new HashMap<>();
        long version = 0;
        for (JsonNode event : events) {
            JsonNode object = event.path("object");
            String name = object.path("metadata").path("name").asText();
            assertThat(ConfigMaps.version(object))
                    .as("seed %d: versions grow", seed)
                    .isGreaterThan(version);
            version = ConfigMaps.version(object);
            switch (event.path("type").asText()) {
                case "ADDED" ->
                    assertThat(model.put(name, object))
                            .as("seed %d: %s", seed, event)
                            .isNull();
                case "MODIFIED" ->
                    assertThat(model.put(name, object))
                            .as("seed %d: %s", seed, event)
                            .isNotNull();
                case "DELETED" ->
                    assertThat(model.remove(name))
                            .as("seed %d: %s", seed, event)
                            .isNotNull();
                default -> throw new AssertionError("seed " + seed + ": " + event);
            }
        }
        Map<String, Long> expected = new HashMap<>();
        for (JsonNode item : last.path("items")) {
            if (requested.follows(item)) {
                expected.put(item.path("metadata").path("name").asText(), ConfigMaps.version(item));
            }
        }
        Map<String, Long> played = new HashMap<>();
        model.forEach((name, object) -> played.put(name, ConfigMaps.version(object)));
        assertThat(played).as("seed %d", seed).isEqualTo(expected);
    }
}
