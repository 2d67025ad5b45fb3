package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.tests.process.OpenWatch;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** With selectors, objects that start or stop matching are added or deleted. */
class WatchSelectorsTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static StandaloneServer server;

    @BeforeAll
    static void start() {
        server = StandaloneServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /**
     * Columns: selector; steps on one object, where a word is the value of its label {@code app} in a create or update, {@code -} is no
     * label, {@code x} a deletion; expected events, each with the value of the object, which is the number of the step that wrote it.
     */
    private static final String ROWS = """
            labelSelector=app=a          | a a a     | ADDED 0, MODIFIED 1, MODIFIED 2
            labelSelector=app=a          | a b       | ADDED 0, DELETED 0
            labelSelector=app=a          | b a       | ADDED 1
            labelSelector=app=a          | b a b a   | ADDED 1, DELETED 1, ADDED 3
            labelSelector=app=a          | a x       | ADDED 0, DELETED 0
            labelSelector=app=a          | b x       |
            labelSelector=app=a          | a b x     | ADDED 0, DELETED 0
            labelSelector=app=a          | a b x a   | ADDED 0, DELETED 0, ADDED 3
            labelSelector=app!=a         | a -       | ADDED 1
            labelSelector=app            | - a -     | ADDED 1, DELETED 1
            labelSelector=!app           | - a -     | ADDED 0, DELETED 0, ADDED 2
            labelSelector=app in (a,b)   | a b c     | ADDED 0, MODIFIED 1, DELETED 1
            labelSelector=app notin (a)  | a b       | ADDED 1
            fieldSelector=metadata.name=o    | a b x | ADDED 0, MODIFIED 1, DELETED 1
            fieldSelector=metadata.name!=o   | a b x |
            fieldSelector=metadata.name=other| a b x |
            """;

    private record Written(ConfigMaps maps, long from, List<Long> versions, long last) {}

    private record WatchedEvents(int everything, List<JsonNode> selected, Written written) {}

    /** Each watch stays open for a second, to detect unexpected events; all watches run concurrently. */
    @TestFactory
    Stream<DynamicTest> transitions() {
        return ROWS
                .lines()
                .map(row ->
                        Arrays.stream(row.split("\\|", -1)).map(String::strip).toList())
                .map(row -> {
                    Written written = write(row.get(1));
                    FutureTask<WatchedEvents> watched = new FutureTask<>(() -> events(row.get(0), written));
                    Thread.ofVirtual().start(watched);
                    return dynamicTest(row.get(0) + ": " + row.get(1), () -> check(row, watched.get()));
                })
                .toList()
                .stream();
    }

    private static Written write(String steps) {
        ConfigMaps maps = ConfigMaps.in(server, "selected-" + NUMBER.incrementAndGet());
        long from = maps.now();
        var versions = new ArrayList<Long>();
        int step = 0;
        boolean exists = false;
        for (String label : steps.split(" ", -1)) {
            String labels = label.equals("-") ? "" : "\"app\":\"" + label + "\"";
            if (label.equals("x")) {
                maps.delete("o");
                versions.add(maps.now());
            } else {
                String value = Integer.toString(step);
                versions.add(exists ? maps.update("o", labels, value) : maps.create("o", labels, value));
            }
            exists = !label.equals("x");
            step++;
        }
        // The last object, which matches all selectors, marks the end of the events.
        return new Written(maps, from, versions, maps.create("end", "\"app\":\"a\"", "end"));
    }

    private static WatchedEvents events(String selector, Written written) throws IOException {
        String query = selector.replaceFirst("=.*", "=")
                + URLEncoder.encode(selector.replaceFirst("[^=]*=", ""), StandardCharsets.UTF_8);
        String from = "watch=1&resourceVersion=" + written.from;
        try (OpenWatch all = OpenWatch.open(server.client(), written.maps.at(from));
                OpenWatch watch =
                        OpenWatch.open(server.client(), written.maps.at(from + "&timeoutSeconds=1&" + query))) {
            int everything = all.until(event -> ConfigMaps.version(event.path("object")) == written.last)
                    .size();
            return new WatchedEvents(everything, watch.rest(), written);
        }
    }

    private static void check(List<String> row, WatchedEvents watched) {
        assertThat(watched.everything).isEqualTo(row.get(1).split(" ", -1).length + 1);
        List<JsonNode> events = watched.selected.stream()
                .filter(event -> ConfigMaps.version(event.path("object")) != watched.written.last)
                .toList();
        assertThat(events.stream()
                        .map(event -> event.path("type").asText() + " "
                                + event.path("object")
                                        .path("data")
                                        .path("value")
                                        .asText())
                        .collect(Collectors.joining(", ")))
                .isEqualTo(row.get(2));
        assertThat(watched.written.versions)
                .as("every event has the version of its change")
                .containsAll(events.stream()
                        .map(event -> ConfigMaps.version(event.path("object")))
                        .toList());
    }
}
