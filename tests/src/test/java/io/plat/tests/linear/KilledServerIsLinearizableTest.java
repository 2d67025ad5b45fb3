package io.plat.tests.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Concurrent clients create, read, update and delete the same objects through a real server that is killed (SIGKILL) and restarted: their
 * observations are consistent with one register per key.
 */
class KilledServerIsLinearizableTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final int LIVES = FULL ? 40 : 4;
    private static final int CLIENTS = 12;
    private static final int OPERATIONS = FULL ? 400 : 100;
    private static final long SEED = FULL ? System.nanoTime() : 11;

    @Test
    void historyAcrossKillsIsLinearizable() throws Exception {
        Path data = Files.createTempDirectory("plat-data");
        ConcurrentMap<Long, String> versions = new ConcurrentHashMap<>();
        List<Operation> history = new ArrayList<>();
        var states = new AtomicLong();
        var random = new Random(SEED);
        try (TestPki pki = TestPki.create().client("admin", "system:masters")) {
            for (int life = 0; life < LIVES; life++) {
                boolean killed = life < LIVES - 1;
                int killedAfter = 20 + random.nextInt(CLIENTS * OPERATIONS / 2);
                try (RunningServer server = start(pki, data);
                        HttpsClient client = HttpsClient.of(pki, "admin")) {
                    var clients = new Clients(new HttpRegisters(client, server, versions), states);
                    history.addAll(clients.readAll());
                    history.addAll(clients.run(CLIENTS, OPERATIONS, SEED + life, () -> {
                        if (killed) {
                            await().pollInterval(Duration.ofMillis(2)).until(() -> clients.answered() >= killedAfter);
                            server.kill();
                        }
                    }));
                }
            }
        } finally {
            Directories.delete(data);
        }
        long unknown = history.stream()
                .filter(operation -> operation.result() instanceof Operation.Result.Unknown)
                .count();
        System.out.printf(
                "linearizability: seed %d, %d operations, %d without an answer, %d lives%n",
                SEED, history.size(), unknown, LIVES);
        assertThat(history).hasSizeGreaterThan(CLIENTS * OPERATIONS);
        assertThat(Linearizability.violation(history)).as("seed %d", SEED).isEmpty();
    }

    private static RunningServer start(TestPki pki, Path data) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow", "--data-dir=" + data));
        return RunningServer.start(Program.APISERVER_LITE, flags);
    }
}
