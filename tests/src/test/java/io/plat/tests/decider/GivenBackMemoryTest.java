package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A decider takes no more memory than its policy needs: what an earlier one took is given back, though nobody asks for memory. */
final class GivenBackMemoryTest {
    private static final int MANY = 60_000;
    private static final double LARGE = 56 << 20;
    private static final double SMALL = 40 << 20;

    @Test
    void whatALargePolicyTookIsGivenBackOnceASmallOneDecides() throws IOException {
        try (TestPki pki = TestPki.create().client("existing-server")) {
            Path roles = Files.createDirectory(pki.folder().resolve("roles"));
            put(roles, MANY);
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of("--secure-port=0", "--authorization-mode=RBAC", "--authorization-rbac-path=" + roles));
            try (RunningServer decider = RunningServer.start(Program.DECIDER, flags);
                    HttpsClient client = HttpsClient.of(pki, "existing-server")) {
                // Beside what it has, the same again is read.
                put(roles, MANY + 1);
                await().atMost(Duration.ofSeconds(30)).until(() -> isReloaded(client, decider, 1));
                assertThat(heap(client, decider)).isGreaterThan(LARGE);
                put(roles, 1);
                await().atMost(Duration.ofSeconds(30)).until(() -> heap(client, decider) < SMALL);
                assertThat(isReloaded(client, decider, 2)).isTrue();
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
        Path written = Files.writeString(roles.resolveSibling("new.json"), items);
        Files.move(
                written,
                roles.resolve("roles.json"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
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
