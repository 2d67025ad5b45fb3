package io.plat.tests.decider;

import static org.awaitility.Awaitility.await;

import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A decider whose policy is reloaded repeatedly uses no more memory than for two policies. */
final class ReloadMemoryTest {
    private static final int BINDINGS = 10_000;
    private static final int TIMES = 15;
    private static final double MOST = 130 << 20;

    @Test
    void replacedPoliciesAreGarbageCollected() throws IOException {
        try (TestPki pki = TestPki.create().client("existing-server")) {
            Path roles = Files.createDirectory(pki.directory().resolve("roles"));
            put(roles, BINDINGS);
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of("--secure-port=0", "--authorization-mode=RBAC", "--authorization-rbac-path=" + roles));
            try (RunningServer decider = RunningServer.start(Program.DECIDER, flags);
                    HttpsClient client = HttpsClient.of(pki, "existing-server")) {
                for (int i = 1; i <= TIMES; i++) {
                    int times = i;
                    put(roles, BINDINGS + i);
                    await().atMost(Duration.ofSeconds(30)).until(() -> isReloaded(client, decider, times));
                }
                await().atMost(Duration.ofSeconds(30)).until(() -> heap(client, decider) < MOST);
            }
        }
    }

    private static void put(Path roles, int bindings) throws IOException {
        String items = IntStream.range(0, bindings)
                .mapToObj(i -> """
                        {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"name":"b","namespace":"n%d"},\
                        "subjects":[{"kind":"User","name":"user-%d","apiGroup":"rbac.authorization.k8s.io"}],\
                        "roleRef":{"kind":"ClusterRole","name":"r","apiGroup":"rbac.authorization.k8s.io"}}""".formatted(i, i))
                .collect(Collectors.joining(",", "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[", "]}"));
        AtomicFile.put(roles.resolve("roles.json"), items);
    }

    private static boolean isReloaded(HttpsClient client, RunningServer decider, int times) throws IOException {
        return Metrics.of(client, decider.at("/metrics")).count("reloads_total{result=\"success\",what=\"policy\"}")
                == times;
    }

    private static double heap(HttpsClient client, RunningServer decider) throws IOException {
        return Metrics.of(client, decider.at("/metrics"))
                .sum(series -> series.startsWith("jvm_memory_committed_bytes{area=\"heap\""));
    }
}
