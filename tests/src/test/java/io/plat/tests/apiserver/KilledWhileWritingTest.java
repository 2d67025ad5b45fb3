package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.OpenWatch;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A server is killed (SIGKILL) during writes, repeatedly on the same data. Every acknowledged create, update and delete was executed
 * exactly once, versions only increase, and a watcher that resumes from its last version receives each change once, no change that was not
 * durable, and ends with the contents of a list.
 */
class KilledWhileWritingTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final boolean FULL = Boolean.getBoolean("plat.full");

    /** Together with those of the store's own test, 1,000 in the full run. */
    private static final int LIVES = FULL ? 100 : 3;

    private static final int FEWEST_WRITES = 50;
    private static final int MORE_WRITES = 300;

    private final Set<String> acknowledged = new HashSet<>();
    private @Nullable ResumedWatch watcher;
    private long newest;

    @Test
    void acknowledgedWritesSurviveAKill() throws Exception {
        long seed = FULL ? System.nanoTime() : 7;
        var random = new Random(seed);
        Path data = Files.createTempDirectory("plat-data");
        long writes = 0;
        try (TestPki pki = TestPki.create().client("admin", "system:masters")) {
            for (int life = 0; life <= LIVES; life++) {
                try (RunningServer server = start(pki, data);
                        HttpsClient client = HttpsClient.of(pki, "admin")) {
                    writes += live(server, client, "l" + life, life < LIVES ? some(random) : 0);
                } catch (AssertionError wrong) {
                    throw new AssertionError("life " + life + " of seed " + seed, wrong);
                }
            }
        } finally {
            Directories.delete(data);
        }
        System.out.printf(
                "killed server: seed %d, %d restarts, %d acknowledged writes, all stored and watched%n",
                seed, LIVES, writes);
    }

    private static RunningServer start(TestPki pki, Path data) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow", "--data-dir=" + data));
        return RunningServer.start(Program.APISERVER_LITE, flags);
    }

    private static int some(Random random) {
        return FEWEST_WRITES + random.nextInt(MORE_WRITES);
    }

    /** Lets the watcher catch up, then runs writers until the server is killed. */
    private int live(RunningServer server, HttpsClient client, String name, int writes) throws Exception {
        ResumedWatch known = watcher == null ? new ResumedWatch(list(server, client)) : watcher;
        watcher = known;
        long mark = mark(server, client);
        assertThat(mark)
                .as("versions increase across restarts, beyond all received events")
                .isGreaterThan(Math.max(newest, known.version()));
        newest = mark;
        JsonNode list = list(server, client);
        try (OpenWatch watch =
                OpenWatch.open(client, server.at(MAPS + "?watch=1&resourceVersion=" + known.version()))) {
            known.apply(watch.until(event -> ConfigMaps.version(event.path("object")) == mark));
            compare(known, list);
            if (writes > 0) {
                acknowledged.addAll(new KilledWriters(client, server.at(MAPS), name + "-").runUntil(writes, server));
                known.apply(watch.untilCut());
            }
        }
        return acknowledged.size();
    }

    /** Creates an object that marks the end of what the watch has to deliver. */
    private static long mark(RunningServer server, HttpsClient client) throws IOException {
        String mark = client.post(server.at(MAPS), "{\"metadata\":{\"generateName\":\"mark-\"}}")
                .body();
        return ConfigMaps.version(JSON.readTree(mark));
    }

    private void compare(ResumedWatch known, JsonNode list) {
        Map<String, Long> listed = ResumedWatch.versions(list);
        assertThat(known.current()).as("watched and listed objects").isEqualTo(listed);
        assertThat(listed.values()).allMatch(version -> version <= newest);
        assertThat(known.takeEvents()).as("received events").containsAll(acknowledged);
        acknowledged.clear();
    }

    private static JsonNode list(RunningServer server, HttpsClient client) throws IOException {
        return JSON.readTree(client.get(server.at(MAPS)).body());
    }
}
