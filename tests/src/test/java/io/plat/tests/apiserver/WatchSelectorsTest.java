package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.tests.process.LoneServer;
import io.plat.tests.process.OpenWatch;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Selectors see objects come and go where others see them change. */
class WatchSelectorsTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static LoneServer server;

    @BeforeAll
    static void start() {
        server = LoneServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /**
     * Each row: a selector; what is done to one object, where a word is the value of its label {@code app} in a create or an update
     * with another value, {@code -} is no label, {@code x} a deletion; what is told, each with the value that the told state
     * has. The value is the number of the step that wrote it.
     */
    @ParameterizedTest(name = "[{index}] {0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
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
            """)
    void transitions(String selector, String steps, String told) {
        ConfigMaps maps = ConfigMaps.in(server, "selected-" + NUMBER.incrementAndGet());
        String query = selector.replaceFirst("=.*", "=")
                + URLEncoder.encode(selector.replaceFirst("[^=]*=", ""), StandardCharsets.UTF_8);
        long from = maps.now();
        var versions = new ArrayList<Long>();
        int step = 0;
        boolean there = false;
        for (String label : steps.split(" ", -1)) {
            String labels = label.equals("-") ? "" : "\"app\":\"" + label + "\"";
            if (label.equals("x")) {
                maps.delete("o");
                versions.add(maps.now());
            } else {
                String value = Integer.toString(step);
                versions.add(there ? maps.update("o", labels, value) : maps.create("o", labels, value));
            }
            there = !label.equals("x");
            step++;
        }
        // The last one, with every label that a selector wants, shows that nothing else comes.
        long last = maps.create("end", "\"app\":\"a\"", "end");
        try (OpenWatch all = OpenWatch.open(server.client(), maps.at("watch=1&resourceVersion=" + from));
                OpenWatch watch = OpenWatch.open(
                        server.client(), maps.at("watch=1&timeoutSeconds=1&resourceVersion=" + from + "&" + query))) {
            assertThat(all.until(event -> ConfigMaps.version(event.path("object")) == last))
                    .hasSize(step + 1);
            List<JsonNode> events = watch.rest().stream()
                    .filter(event -> ConfigMaps.version(event.path("object")) != last)
                    .toList();
            assertThat(String.join(
                            ", ",
                            events.stream()
                                    .map(event -> event.path("type").asText() + " "
                                            + event.path("object")
                                                    .path("data")
                                                    .path("value")
                                                    .asText())
                                    .toList()))
                    .isEqualTo(told == null ? "" : told);
            assertThat(versions)
                    .as("every event has the version of its change")
                    .containsAll(events.stream()
                            .map(event -> ConfigMaps.version(event.path("object")))
                            .toList());
        }
    }
}
