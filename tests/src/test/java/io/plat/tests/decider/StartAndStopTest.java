package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Start, policy changes and stop of a decider, and refused starts. */
class StartAndStopTest {
    private static final String REVIEW = """
            {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"alice",
             "resourceAttributes":{"verb":"get","resource":"pods","namespace":"team-a"}}}""";
    private static final String ALICE_MAY =
            "{\"apiVersion\":\"abac.authorization.platform.io/v1beta1\",\"kind\":\"Policy\","
                    + "\"spec\":{\"user\":\"alice\",\"namespace\":\"*\",\"resource\":\"pods\"}}\n";

    private static TestPki pki;

    @TempDir
    Path directory = Path.of("");

    @BeforeAll
    static void makePki() {
        pki = TestPki.create().client("caller");
    }

    @AfterAll
    static void deletePki() {
        pki.close();
    }

    @Test
    void allInvalidFlagsAreReported() {
        CompletedProcess finished = Command.of(
                        Program.DECIDER,
                        "--authorization-mode=ABAC,Nonsense",
                        "--secure-prot=1",
                        "--max-requests-inflight=x")
                .run();
        assertThat(finished.exitStatus()).isEqualTo(2);
        assertThat(finished.out()).isEmpty();
        assertThat(finished.err())
                .contains(
                        "--secure-prot",
                        "--secure-port",
                        "--max-requests-inflight",
                        "Nonsense",
                        "--tls-cert-file",
                        "--tls-private-key-file",
                        "--client-ca-file",
                        "--authorization-policy-file")
                .doesNotContain("Exception", "\tat ");
        assertThat(finished.err().lines().filter(String::isBlank)).isEmpty();
    }

    @Test
    void brokenPolicyIsStatusOneWithAllLines() throws IOException {
        Path policy = Files.writeString(directory.resolve("policy.jsonl"), """
                # the first line is fine
                {"apiVersion": "abac.authorization.platform.io/v1beta1", "kind": "Policy", "spec": {"user": "alice"}}
                {"spec": {"user": "bob"}}
                {}

                not json
                """);
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=ABAC", "--authorization-policy-file=" + policy));
        CompletedProcess finished =
                Command.of(Program.DECIDER, flags.toArray(String[]::new)).run();
        assertThat(finished.exitStatus()).isEqualTo(1);
        assertThat(finished.out()).isEmpty();
        assertThat(finished.err())
                .contains(policy + ":3", policy + ":4", policy + ":6")
                .doesNotContain(policy + ":2", "Exception", "\tat ");
    }

    @Test
    void missingFileIsStatusOne() {
        CompletedProcess finished = Command.of(
                        Program.DECIDER,
                        "--tls-cert-file=" + directory.resolve("absent.crt"),
                        "--tls-private-key-file=" + pki.file("server.key"),
                        "--client-ca-file=" + pki.file("ca.crt"),
                        "--authorization-mode=AlwaysAllow")
                .run();
        assertThat(finished.exitStatus()).isEqualTo(1);
        assertThat(finished.err()).contains("absent.crt").doesNotContain("Exception", "\tat ");
    }

    @Test
    void allUnusableFilesAreReportedWithTheirFlags() {
        CompletedProcess finished = Command.of(
                        Program.DECIDER,
                        "--tls-cert-file=absent.crt",
                        "--tls-private-key-file=absent.key",
                        "--client-ca-file=absent-ca.crt",
                        "--authorization-mode=ABAC,RBAC",
                        "--authorization-policy-file=absent.jsonl",
                        "--authorization-rbac-path=absent",
                        "--candidate-policy-file=candidate.jsonl")
                .run();
        assertThat(finished.exitStatus()).isEqualTo(1);
        assertThat(finished.problems())
                .containsExactlyInAnyOrder(
                        "--tls-cert-file: absent.crt: no such file",
                        "--tls-private-key-file: absent.key: no such file",
                        "--client-ca-file: absent-ca.crt: no such file",
                        "--authorization-policy-file: absent.jsonl: cannot read: no such file",
                        "--authorization-rbac-path: absent: cannot read: no such file",
                        "--candidate-policy-file: candidate.jsonl: cannot read: no such file");
    }

    @Test
    void wrongFormatIsReportedOnceAndProblemsAreLimited() throws IOException {
        Path roles = Checkout.path("conf/samples/rbac/roles.yaml");
        Path lines = Checkout.path("conf/samples/abac/policy.jsonl");
        Path line = directory.resolve("line.jsonl");
        Files.writeString(line, Files.readAllLines(lines).getLast());
        Path many = Files.writeString(directory.resolve("many.jsonl"), "{}\n".repeat(25));
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--authorization-mode=ABAC,RBAC",
                "--authorization-policy-file=" + roles,
                "--authorization-rbac-path=" + lines,
                "--authorization-rbac-path=" + line,
                "--candidate-policy-file=" + many));
        CompletedProcess finished =
                Command.of(Program.DECIDER, flags.toArray(String[]::new)).run();
        assertThat(finished.exitStatus()).isEqualTo(1);
        List<String> problems = finished.problems();
        assertThat(problems)
                .hasSize(14)
                .contains(
                        "--authorization-policy-file: " + roles
                                + ": this file contains RBAC objects: use --authorization-rbac-path",
                        "--authorization-rbac-path: " + lines
                                + ": this file contains ABAC policies: use --authorization-policy-file",
                        "--authorization-rbac-path: " + line
                                + ": this file contains ABAC policies: use --authorization-policy-file",
                        "--candidate-policy-file: " + many + ":10: empty object, expected a policy",
                        "--candidate-policy-file: " + many + ": 15 more problems");
    }

    @Test
    void startIsLoggedWithItsConfiguration() throws IOException {
        Path rbac = Checkout.path("conf/samples/rbac");
        try (RunningServer server = decider(
                "--authorization-mode=RBAC",
                "--authorization-rbac-path=" + rbac,
                "--allowed-client-names=second,first",
                "--log-format=json")) {
            await().until(() -> !server.err().isEmpty());
            JsonNode event = new ObjectMapper().readTree(server.err());
            assertThat(event.path("message").asText()).startsWith("authorization policy in effect: mode=RBAC files=");
            assertThat(event.path("level").asText()).isEqualTo("INFO");
            assertThat(event.path("mode").asText()).isEqualTo("RBAC");
            assertThat(event.path("files").asText()).isEqualTo(rbac.toString());
            assertThat(event.path("roles").asInt()).isEqualTo(7);
            assertThat(event.path("bindings").asInt()).isEqualTo(9);
            assertThat(event.path("revision").asText()).matches("[0-9a-f]{12}-1");
            assertThat(event.path("callers").asText()).isEqualTo("first,second");
        }
    }

    @Test
    void shortHelpFlagPrintsHelp() {
        CompletedProcess finished = Command.of(Program.DECIDER, "-h").run();
        assertThat(finished.exitStatus()).isZero();
        assertThat(finished.out())
                .isEqualTo(Command.of(Program.DECIDER, "--help").run().out());
    }

    @Test
    void portInUseIsStatusOne() {
        try (RunningServer first = decider("--authorization-mode=AlwaysAllow")) {
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of("--secure-port=" + first.port(), "--authorization-mode=AlwaysAllow"));
            CompletedProcess second =
                    Command.of(Program.DECIDER, flags.toArray(String[]::new)).run();
            assertThat(second.exitStatus()).isEqualTo(1);
            assertThat(second.err()).contains("--secure-port", String.valueOf(first.port()));
        }
    }

    @Test
    void sigtermIsStatusZero() {
        try (RunningServer server = decider("--authorization-mode=AlwaysAllow")) {
            assertThat(server.out()).startsWith("listening on https://127.0.0.1:" + server.port() + "\n");
            assertThat(server.terminate()).isZero();
            assertThat(server.err()).doesNotContain("Exception", "WARNING:");
        }
    }

    @Test
    void changedPolicyIsReloadedAndABrokenOneIgnored() throws IOException {
        Path policy = Files.writeString(directory.resolve("policy.jsonl"), ALICE_MAY.replace("alice", "somebody"));
        try (RunningServer server = decider("--authorization-mode=ABAC", "--authorization-policy-file=" + policy);
                HttpsClient client = HttpsClient.of(pki, "caller")) {
            assertThat(allowed(client, server)).isFalse();
            AtomicFile.put(policy, ALICE_MAY);
            await().until(() -> allowed(client, server));
            AtomicFile.put(policy, "garbage\n");
            await().until(() -> server.err().contains("policy.jsonl:1"));
            assertThat(allowed(client, server)).isTrue();
            AtomicFile.put(policy, "# nobody may do anything\n");
            await().until(() -> !allowed(client, server));
        }
    }

    private static boolean allowed(HttpsClient client, RunningServer server) throws IOException {
        String body = client.post(server.at("/authorize"), REVIEW).body();
        assertThat(body).contains("\"allowed\":");
        return body.contains("\"allowed\":true");
    }

    private static RunningServer decider(String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.add("--secure-port=0");
        flags.addAll(List.of(more));
        return RunningServer.start(Program.DECIDER, flags);
    }
}
