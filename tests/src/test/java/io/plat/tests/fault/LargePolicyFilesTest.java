package io.plat.tests.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A policy file that does not fit into the heap is refused, and the last policy stays in effect. */
class LargePolicyFilesTest {
    private static final String POLICY = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: reader}
        rules: [{nonResourceURLs: [/version], verbs: [get]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: b}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
        subjects: [{kind: User, name: USER, apiGroup: rbac.authorization.k8s.io}]
        """;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void lastPolicyStaysInEffect() throws IOException {
        Path policies = Files.createDirectory(directory.resolve("policies"));
        Path file = Files.writeString(policies.resolve("p.yaml"), POLICY.replace("USER", "eve"));
        try (TestPki pki = TestPki.create().client("client");
                RunningServer server = start(pki, policies);
                HttpsClient client = HttpsClient.of(pki, "client")) {
            assertThat(allows(client, server, "eve")).isTrue();
            AtomicFile.put(file, POLICY.replace("USER", "bob") + "# " + "x".repeat(60 << 20) + "\n");
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(server.err())
                            .contains("p.yaml: larger than 6 MiB (a share of the heap, see -Xmx)"));
            assertThat(allows(client, server, "bob")).isFalse();
            assertThat(allows(client, server, "eve")).isTrue();
            for (int i = 0; i < 3; i++) {
                Files.writeString(policies.resolve("q" + i + ".yaml"), "# " + "x".repeat(5 << 20) + "\n");
            }
            AtomicFile.put(file, POLICY.replace("USER", "bob"));
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(server.err())
                            .contains("q2.yaml: this and the policy files before it are larger than 1"));
            assertThat(allows(client, server, "bob")).isFalse();
            Files.delete(policies.resolve("q2.yaml"));
            await().atMost(Duration.ofSeconds(30)).until(() -> allows(client, server, "bob"));
        }
    }

    private static boolean allows(HttpsClient client, RunningServer server, String user) throws IOException {
        String review =
                "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\""
                        + user + "\",\"nonResourceAttributes\":{\"verb\":\"get\",\"path\":\"/version\"}}}";
        return client.post(server.at("/authorize"), review).body().contains("\"allowed\":true");
    }

    private RunningServer start(TestPki pki, Path policies) throws IOException {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=RBAC", "--authorization-rbac-path=" + policies));
        return RunningServer.start(Program.DECIDER.launcherAfter(directory, "export JAVA_OPTS=-Xmx100m"), flags);
    }
}
