package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Directories;
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
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A candidate policy next to the one in effect: it changes no response, and differences are logged. */
class ShadowPoliciesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static TestPki pki;
    private static HttpsClient client;
    private static Path directory;

    @BeforeAll
    static void connect() throws IOException {
        pki = TestPki.create().client("my-api-server");
        client = HttpsClient.of(pki, "my-api-server");
        directory = Files.createTempDirectory("plat-shadow");
    }

    @AfterAll
    static void disconnect() {
        client.close();
        Directories.delete(directory);
        pki.close();
    }

    private static String line(String user) {
        return "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\""
                + user + "\",\"namespace\":\"*\",\"resource\":\"*\",\"apiGroup\":\"*\"}}\n";
    }

    private static Path write(String name, String... users) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (String user : users) {
            lines.append(line(user));
        }
        return Files.writeString(directory.resolve(name), lines);
    }

    private static List<String> flags(Path real, String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=ABAC", "--authorization-policy-file=" + real));
        flags.addAll(List.of(more));
        return flags;
    }

    private static boolean allowed(RunningServer server, String user) throws IOException {
        String review =
                "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\""
                        + user
                        + "\",\"resourceAttributes\":{\"namespace\":\"team-a\",\"verb\":\"get\",\"resource\":\"pods\"}}}";
        String answer = client.post(server.at("/authorize"), review).body();
        return JSON.readTree(answer).at("/status/allowed").asBoolean();
    }

    private static double metric(RunningServer server, String name) throws IOException {
        return Metrics.of(client, server.at("/metrics")).count(name);
    }

    private static double compared(RunningServer server, String result) throws IOException {
        return metric(server, "authorization_shadow_decisions_total{result=\"" + result + "\"}");
    }

    private static List<JsonNode> lines(Path log) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }

    @Test
    void disagreementsAreLoggedWithBothReasons() throws IOException {
        for (String mode : List.of("batch", "blocking")) {
            Path log = directory.resolve(mode + ".log");
            Path real = write(mode + "-real", "alice", "bob");
            Path candidate = write(mode + "-candidate", "bob", "carol");
            try (RunningServer server = RunningServer.startReused(
                    Program.DECIDER,
                    flags(
                            real,
                            "--candidate-policy-file=" + candidate,
                            "--decision-log-path=" + log,
                            "--decision-log-mode=" + mode))) {
                assertThat(allowed(server, "alice")).isTrue();
                assertThat(allowed(server, "bob")).isTrue();
                assertThat(allowed(server, "carol")).isFalse();
                assertThat(allowed(server, "dave")).isFalse();
                await().atMost(TIMEOUT).until(() -> compared(server, "agreed") == 2);
                assertThat(compared(server, "allow_to_deny")).isEqualTo(1);
                assertThat(compared(server, "deny_to_allow")).isEqualTo(1);
                assertThat(server.terminate()).isZero();
            }
            // A line that was written before the candidate's decision is followed by another one with the same id.
            List<JsonNode> different =
                    lines(log).stream().filter(line -> line.has("shadow")).toList();
            assertThat(different).hasSize(2);
            JsonNode lost = different.getFirst();
            assertThat(lost.at("/spec/user").asText()).isEqualTo("alice");
            assertThat(lost.get("allowed").asBoolean()).isTrue();
            assertThat(lost.get("reason").asText()).contains(mode + "-real");
            assertThat(lost.at("/shadow/allowed").asBoolean(true)).isFalse();
            assertThat(lost.at("/shadow/reason").asText()).isEqualTo("No policy matched.");
            assertThat(lost.at("/shadow/policyRevision").asText())
                    .isNotEqualTo(lost.get("policyRevision").asText());
            JsonNode won = different.getLast();
            assertThat(won.at("/spec/user").asText()).isEqualTo("carol");
            assertThat(won.at("/shadow/allowed").asBoolean()).isTrue();
            assertThat(won.at("/shadow/reason").asText()).contains(mode + "-candidate");
        }
    }

    @Test
    void candidateIsReloadedAndABrokenOneIgnored() throws IOException {
        Path real = write("real", "alice");
        Path candidate = write("candidate", "alice");
        try (RunningServer server =
                RunningServer.startReused(Program.DECIDER, flags(real, "--candidate-policy-file=" + candidate))) {
            assertThat(allowed(server, "alice")).isTrue();
            await().atMost(TIMEOUT).until(() -> compared(server, "agreed") == 1);
            Files.writeString(candidate, "{broken\n");
            await().atMost(TIMEOUT)
                    .until(() -> metric(server, "reloads_total{result=\"failure\",what=\"candidate-policy\"}") == 1);
            assertThat(allowed(server, "alice")).isTrue();
            await().atMost(TIMEOUT).until(() -> compared(server, "agreed") == 2);
            write("candidate", "bob");
            await().atMost(TIMEOUT)
                    .until(() -> metric(server, "reloads_total{result=\"success\",what=\"candidate-policy\"}") == 1);
            assertThat(allowed(server, "alice")).isTrue();
            await().atMost(TIMEOUT).until(() -> compared(server, "allow_to_deny") == 1);
            assertThat(server.err())
                    .contains(
                            "a changed policy is invalid, the last good one stays in effect: policy=candidate policy",
                            "candidate:1: ")
                    .contains(
                            "the candidate policy disagrees: request=\"alice\" \"get\" \"pods\" in \"team-a\" policy=");
            assertThat(metric(server, "reloads_total{result=\"failure\",what=\"policy\"}"))
                    .isZero();
        }
    }

    @Test
    void candidateModeIsAdded() throws IOException {
        Path real = write("abac-only", "alice");
        Path roles = Files.writeString(directory.resolve("roles.yaml"), """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: reader}
                rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: readers}
                subjects: [{kind: User, name: bob, apiGroup: rbac.authorization.k8s.io}]
                roleRef: {kind: ClusterRole, name: reader, apiGroup: rbac.authorization.k8s.io}
                """);
        try (RunningServer server =
                RunningServer.startReused(Program.DECIDER, flags(real, "--candidate-rbac-path=" + roles))) {
            assertThat(allowed(server, "bob")).isFalse();
            assertThat(allowed(server, "alice")).isTrue();
            await().atMost(TIMEOUT).until(() -> compared(server, "deny_to_allow") == 1);
            await().atMost(TIMEOUT).until(() -> compared(server, "agreed") == 1);
        }
    }

    @Test
    void unreadableCandidateIsRefusedAtStart() throws IOException {
        Path real = write("good", "alice");
        Path broken = Files.writeString(directory.resolve("broken"), "{\n");
        for (String[] wrong : new String[][] {
            {"--candidate-policy-file=" + directory.resolve("absent"), directory.resolve("absent") + ": "},
            {"--candidate-policy-file=" + broken, broken + ":1: "},
            {"--candidate-rbac-path=" + directory.resolve("nowhere"), directory.resolve("nowhere") + ": "}
        }) {
            CompletedProcess rejected = Command.reused(
                            Program.DECIDER, flags(real, wrong[0]).toArray(String[]::new))
                    .run();
            assertThat(rejected.exitStatus()).isEqualTo(1);
            assertThat(Objects.requireNonNull(rejected.err()).lines())
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith(wrong[0].split("=", 2)[0] + ": " + wrong[1]);
        }
    }
}
