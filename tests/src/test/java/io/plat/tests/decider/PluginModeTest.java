package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.ScriptedPlugin;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A decider with a plug-in jar: alone, and before and after role objects. */
class PluginModeTest {
    /** Timeout of a plug-in (3 s), and a margin for a busy machine. */
    private static final Duration DEADLINE = Duration.ofSeconds(3).plusSeconds(3);

    private static final int CONCURRENCY = 64;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String READERS = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: reader}
            rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: readers}
            subjects: [{kind: Group, name: readers, apiGroup: rbac.authorization.k8s.io}]
            roleRef: {kind: ClusterRole, name: reader, apiGroup: rbac.authorization.k8s.io}
            """;

    @TempDir
    static Path directory = Path.of("");

    private static TestPki pki;
    private static HttpsClient client;
    private static RunningServer alone;
    private static RunningServer before;
    private static RunningServer after;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("caller");
        client = HttpsClient.of(pki, "caller");
        ScriptedPlugin.write(directory);
        Files.writeString(directory.resolve("roles.yaml"), READERS);
        String roles = "--authorization-rbac-path=" + directory.resolve("roles.yaml");
        alone = decider("--authorization-mode=Moody");
        before = decider("--authorization-mode=Moody,RBAC", roles);
        after = decider("--authorization-mode=RBAC,Moody", roles);
    }

    @AfterAll
    static void stop() {
        alone.close();
        before.close();
        after.close();
        client.close();
        pki.close();
    }

    private static RunningServer decider(String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-plugin-dir=" + directory));
        flags.addAll(List.of(more));
        return RunningServer.start(Program.DECIDER, flags);
    }

    private static String request(String user, String group) {
        return """
                {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"%s","groups":["%s"],
                 "resourceAttributes":{"verb":"get","resource":"pods","namespace":"team-a"}}}""".formatted(user, group);
    }

    private static JsonNode review(RunningServer decider, String user, String group, int code) throws IOException {
        HttpResponse<String> response = client.post(decider.at("/authorize"), request(user, group));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(code);
        assertThat(response.body()).doesNotContain("abc", "\\tat ", "java.io", "com.example");
        return JSON.readTree(response.body());
    }

    @ParameterizedTest(name = "{0} of {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            allowed    | none    | true  | allowed by plug-in "Moody": in the mood
            allowed    | readers | true  | allowed by plug-in "Moody": in the mood
            refused    | none    | false | refused by plug-in "Moody": not in the mood
            thrower    | none    |       | Moody: the plug-in threw IOException
            speechless | none    |       | Moody: the plug-in returned no decision
            deep       | none    |       | Moody: the plug-in threw StackOverflowError
            unlinked   | none    |       | Moody: the plug-in threw NoClassDefFoundError
            curious    | none    |       | Moody: the plug-in threw ClassNotFoundException
            """)
    void pluginAlone(String user, String group, String allowed, String reason) throws IOException {
        check(alone, user, group, allowed, reason);
    }

    @ParameterizedTest(name = "{0} of {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            allowed    | none    | true  | allowed by plug-in "Moody"
            allowed    | readers | true  | allowed by plug-in "Moody"
            refused    | none    | false | refused by plug-in "Moody": not in the mood; no RBAC policy matched
            refused    | readers | true  | RBAC: allowed by ClusterRoleBinding "readers"
            thrower    | none    |       | Moody: the plug-in threw IOException
            thrower    | readers | true  | RBAC: allowed by ClusterRoleBinding "readers"
            speechless | none    |       | Moody: the plug-in returned no decision
            speechless | readers | true  | RBAC: allowed by ClusterRoleBinding "readers"
            """)
    void pluginBeforeRoleObjects(String user, String group, String allowed, String reason) throws IOException {
        check(before, user, group, allowed, reason);
    }

    @ParameterizedTest(name = "{0} of {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            allowed    | none    | true  | allowed by plug-in "Moody"
            allowed    | readers | true  | RBAC: allowed by ClusterRoleBinding "readers"
            refused    | none    | false | no RBAC policy matched; refused by plug-in "Moody": not in the mood
            refused    | readers | true  | RBAC: allowed by ClusterRoleBinding "readers"
            thrower    | none    |       | Moody: the plug-in threw IOException
            thrower    | readers | true  | RBAC: allowed by ClusterRoleBinding "readers"
            stuck      | readers | true  | RBAC: allowed by ClusterRoleBinding "readers"
            """)
    void pluginAfterRoleObjects(String user, String group, String allowed, String reason) throws IOException {
        check(after, user, group, allowed, reason);
    }

    /** An empty column {@code allowed} means a failed decision. */
    private static void check(RunningServer decider, String user, String group, String allowed, String reason)
            throws IOException {
        if (allowed == null) {
            JsonNode status = review(decider, user, group, 500);
            assertThat(status.path("kind").asText()).isEqualTo("Status");
            assertThat(status.path("message").asText()).endsWith(": " + reason);
        } else {
            JsonNode status = review(decider, user, group, 200).path("status");
            assertThat(status.path("allowed").asText()).isEqualTo(allowed);
            assertThat(status.path("reason").asText()).startsWith(reason);
        }
    }

    @Test
    void hangingPluginFailsWithinItsDeadlineAndBlocksNobody() throws IOException {
        long begin = System.nanoTime();
        CompletableFuture<HttpResponse<String>> hanging = reviewAsync(alone, "sleeper");
        assertThat(review(alone, "allowed", "none", 200)
                        .path("status")
                        .path("allowed")
                        .asBoolean())
                .isTrue();
        assertThat(hanging).as("the other answer came first").isNotDone();
        HttpResponse<String> late = hanging.join();
        assertThat(late.statusCode()).isEqualTo(500);
        assertThat(late.body()).contains("Moody: the plug-in did not answer within 3000 ms");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(DEADLINE);
    }

    @Test
    void hangingCallsAreBounded() throws IOException {
        try (RunningServer decider = decider("--authorization-mode=Moody")) {
            List<CompletableFuture<HttpResponse<String>>> stuck = new ArrayList<>();
            for (int i = 0; i < CONCURRENCY; i++) {
                stuck.add(reviewAsync(decider, "stuck"));
            }
            assertThat(client.get(decider.at("/livez")).statusCode())
                    .as("while all of them hang")
                    .isEqualTo(200);
            assertThat(stuck)
                    .allSatisfy(one -> assertThat(one.join().statusCode()).isEqualTo(500));
            await().untilAsserted(() -> assertThat(review(decider, "allowed", "none", 500)
                            .path("message")
                            .asText())
                    .endsWith("Moody: the plug-in was not called: 64 calls have not ended"));
            long begin = System.nanoTime();
            for (int i = 0; i < 50; i++) {
                review(decider, "allowed", "none", 500);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .as("50 decisions, none of which waits 3 s")
                    .isLessThan(DEADLINE);
            assertThat(decider.terminate()).isZero();
        }
    }

    private static CompletableFuture<HttpResponse<String>> reviewAsync(RunningServer decider, String user) {
        return client.http()
                .sendAsync(
                        HttpRequest.newBuilder(decider.at("/authorize"))
                                .header("Content-Type", "application/json")
                                .timeout(Duration.ofSeconds(30))
                                .POST(HttpRequest.BodyPublishers.ofString(request(user, "none")))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void logNamesThePluginWithoutItsMessage() throws IOException {
        try (RunningServer decider = decider("--authorization-mode=Moody")) {
            review(decider, "thrower", "none", 500);
            review(decider, "thrower", "none", 500);
            await().until(
                            () -> decider.err()
                                    .contains(
                                            "a plug-in threw an exception: plugin=Moody exception=java.io.IOException at plugins//com.example.Moody"));
            assertThat(decider.err()).doesNotContain("abc", "| ");
            assertThat(decider.err().lines().filter(line -> line.contains("threw")))
                    .hasSize(1);
        }
    }

    @Test
    void reasonsNoneHidesPluginReasons() throws IOException {
        try (RunningServer decider = decider("--authorization-mode=Moody", "--reasons=none")) {
            assertThat(review(decider, "allowed", "none", 200).toString()).doesNotContain("mood", "Moody");
            assertThat(review(decider, "thrower", "none", 500).toString()).doesNotContain("Moody", "IOException");
        }
    }
}
