package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.with;

import io.plat.http.testing.RawClient;
import io.plat.process.FaultInjector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Faults in each background loop of a decider, one after another. */
@Isolated("injects faults into all loops of a name")
class LoopFaultsTest {
    private static final long SEED = Long.getLong("plat.seed", System.nanoTime());
    private static final String GRANT =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":"
                    + "{\"user\":\"zoe\",\"namespace\":\"team-a\",\"resource\":\"pods\"}}\n";

    private static ConditionFactory await() {
        return with().pollInterval(Duration.ofMillis(20)).await().atMost(Duration.ofSeconds(30));
    }

    private static boolean allowed(TestingDecider decider) throws IOException {
        try (RawClient client = decider.connect()) {
            return client.postJson(
                            "/",
                            "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":"
                                    + "{\"user\":\"zoe\",\"resourceAttributes\":{\"namespace\":\"team-a\",\"verb\":\"get\",\"resource\":\"pods\"}}}")
                    .text()
                    .contains("\"allowed\":true");
        }
    }

    private static void replace(Path file, String text) throws IOException {
        Path next = Files.writeString(file.resolveSibling("next"), text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void everyLoopRecoversFromFaults(@TempDir Path directory) throws IOException {
        System.out.println("faults in loops: -Dplat.seed=" + SEED);
        FaultInjector faults = new FaultInjector(SEED);
        Path candidate = Files.writeString(directory.resolve("candidate.jsonl"), TestingDecider.ABAC);
        try (TestingDecider decider = new TestingDecider(
                directory,
                "--decision-log-path=" + directory.resolve("decisions.log"),
                "--candidate-policy-file=" + candidate)) {
            // A loop is known once its thread runs, which may be shortly after the start.
            Set<String> loops = await().until(
                            faults::running,
                            known -> known.containsAll(List.of("watch-policy", "client-trust", "shadow")));
            for (String loop : loops) {
                long before = FaultInjector.restarts(loop);
                faults.injectFault(loop);
                await().alias(loop).until(() -> {
                    allowed(decider);
                    for (String file : new String[] {"policy.jsonl", "candidate.jsonl", "server.crt", "ca.crt"}) {
                        replace(directory.resolve(file), Files.readString(directory.resolve(file)));
                    }
                    return FaultInjector.restarts(loop) > before;
                });
                faults.injectFault(loop);
                replace(decider.policy, TestingDecider.ABAC + GRANT);
                await().alias(loop).until(() -> allowed(decider));
                replace(decider.policy, TestingDecider.ABAC);
                await().alias(loop).until(() -> !allowed(decider));
                try (RawClient client = decider.connect()) {
                    assertThat(client.get("/readyz").code()).isEqualTo(200);
                    assertThat(client.get("/metrics").text())
                            .containsPattern("background_loop_restarts_total\\{loop=\"" + loop + "\"} [1-9]");
                }
            }
        }
    }
}
