package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The decision log of a real process: its lines, its files, and responses if it cannot be written. */
@Order(1)
class DecisionLogTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static TestPki pki;
    private static HttpsClient client;

    private Path directory;
    private Path log;

    @BeforeAll
    static void connect() {
        pki = TestPki.create().client("my-api-server");
        client = HttpsClient.of(pki, "my-api-server");
    }

    @AfterAll
    static void disconnect() {
        client.close();
        pki.close();
    }

    @BeforeEach
    void createDirectory() throws IOException {
        directory = Files.createTempDirectory("plat-decisions");
        log = directory.resolve("decisions.log");
    }

    @AfterEach
    void deleteDirectory() {
        Directories.delete(directory);
    }

    private List<String> flags(String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--authorization-mode=ABAC",
                "--authorization-policy-file=" + Checkout.path("conf/samples/abac/policy.jsonl")));
        flags.addAll(List.of(more));
        return flags;
    }

    private RunningServer start(String... more) {
        return RunningServer.start(Program.DECIDER, flags(more));
    }

    private RunningServer startReused(String... more) {
        return RunningServer.startReused(Program.DECIDER, flags(more));
    }

    private static String review(String user, String filler) {
        return "{\"apiVersion\":\"authorization.k8s.io/v1beta1\",\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\""
                + user
                + "\",\"group\":[\"team-a-developers\"],\"uid\":\"u-42\",\"extra\":{\"token\":[\"s3cret\"],\"note\":[\""
                + filler
                + "\"]},\"resourceAttributes\":{\"namespace\":\"team-a\",\"verb\":\"get\",\"resource\":\"pods\"}}}";
    }

    private static HttpResponse<String> review(RunningServer server, String user) throws IOException {
        return client.post(server.at("/authorize"), review(user, "none"));
    }

    private static HttpResponse<String> reviewLarge(RunningServer server) throws IOException {
        return reviewLarge(server, 50_000);
    }

    private static HttpResponse<String> reviewLarge(RunningServer server, int characters) throws IOException {
        return client.post(server.at("/authorize"), review("alice", "x".repeat(characters)));
    }

    @Test
    void stdoutContainsOnlyTheLog() throws IOException {
        for (String mode : List.of("batch", "blocking")) {
            try (RunningServer server = start("--decision-log-path", "-", "--decision-log-mode=" + mode)) {
                String id = id(review(server, "alice"));
                assertThat(server.terminate()).isZero();
                List<String> out = server.out().lines().toList();
                assertThat(out).hasSize(1);
                assertThat(JSON.readTree(out.getFirst()).get("id").asText()).isEqualTo(id);
                assertThat(server.err().lines()).contains("listening on " + server.address());
            }
        }
    }

    private static String id(HttpResponse<String> answer) {
        return answer.headers().firstValue("Decision-Id").orElseThrow();
    }

    private static List<JsonNode> lines(Path file) throws IOException {
        String text = Files.readString(file);
        assertThat(text).endsWith("\n");
        List<JsonNode> lines = new ArrayList<>();
        for (String line : text.lines().toList()) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }

    private static double metric(RunningServer server, String name) throws IOException {
        return Metrics.of(client, server.at("/metrics")).value(name);
    }

    @Test
    void everyDecisionIsLoggedWithItsId() throws IOException {
        Map<String, HttpResponse<String>> answers = new LinkedHashMap<>();
        try (RunningServer server = startReused("--decision-log-path=" + log, "--reasons=none")) {
            for (String user : List.of("alice", "nobody", "Zo\u00eb\u2028\\u0000", "alice")) {
                HttpResponse<String> answer = review(server, user);
                answers.put(id(answer), answer);
            }
            assertThat(client.post(server.at("/authorize"), "{}").statusCode()).isEqualTo(400);
            assertThat(server.terminate()).isZero();
        }
        List<JsonNode> lines = lines(log);
        assertThat(lines).extracting(line -> line.get("id").asText()).containsExactlyElementsOf(answers.keySet());
        for (JsonNode line : lines) {
            HttpResponse<String> answer =
                    Objects.requireNonNull(answers.get(line.get("id").asText()));
            JsonNode review = JSON.readTree(answer.body());
            assertThat(line.get("allowed")).isEqualTo(review.at("/status/allowed"));
            assertThat(line.at("/spec/user")).isEqualTo(review.at("/spec/user"));
            assertThat(line.at("/spec/groups")).isEqualTo(review.at("/spec/group"));
            assertThat(line.at("/spec/resourceAttributes")).isEqualTo(review.at("/spec/resourceAttributes"));
            assertThat(line.get("client").asText()).isEqualTo("my-api-server");
            assertThat(line.get("authorizer").asText()).isEqualTo("ABAC");
            assertThat(line.get("error").asText()).isEmpty();
            assertThat(line.get("policyRevision").asText())
                    .isEqualTo(answer.headers().firstValue("Policy-Revision").orElseThrow());
            assertThat(line.get("durationMicros").isIntegralNumber()).isTrue();
            assertThat(Instant.parse(line.get("time").asText())).isBefore(Instant.now());
        }
        assertThat(lines.getFirst().get("allowed").asBoolean()).isTrue();
        assertThat(lines.getFirst().get("reason").asText())
                .as("answers without reasons")
                .contains("policy.jsonl");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
                .isEqualTo("rw-------");
    }

    @Test
    void maskedValuesAreNotWritten() throws IOException {
        try (RunningServer server =
                start("--decision-log-path", log.toString(), "--decision-log-mask=user,extra.token")) {
            assertThat(review(server, "mallory").statusCode()).isEqualTo(200);
            assertThat(server.terminate()).isZero();
            assertThat(server.err()).doesNotContain("mallory", "s3cret");
        }
        assertThat(Files.readString(log)).doesNotContain("mallory", "s3cret");
        JsonNode spec = lines(log).getFirst().get("spec");
        assertThat(spec.get("user").asText()).isEqualTo("(masked)");
        assertThat(spec.at("/extra/token/0").asText()).isEqualTo("(masked)");
        assertThat(spec.at("/extra/note/0").asText()).isEqualTo("none");
    }

    @Test
    void filesAreRotatedAndTheOldestDeleted() throws IOException {
        try (RunningServer server = startReused(
                "--decision-log-path=" + log,
                "--decision-log-mode=blocking",
                "--decision-log-maxsize=1",
                "--decision-log-maxbackup=2")) {
            for (int i = 0; i < 90; i++) {
                assertThat(reviewLarge(server).statusCode()).isEqualTo(200);
            }
        }
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.sorted().toList();
        }
        assertThat(files).hasSize(3);
        assertThat(files.get(0).getFileName().toString())
                .matches("decisions-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d{3}\\.log");
        for (Path file : files) {
            assertThat(Files.size(file)).isLessThanOrEqualTo(1 << 20);
            assertThat(lines(file)).isNotEmpty();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void startAppendsAfterACrash() throws IOException {
        Files.writeString(log, "{\"id\":\"whole\"}\n{\"id\":\"ha");
        try (RunningServer server = startReused("--decision-log-path=" + log)) {
            String id = id(review(server, "alice"));
            server.terminate();
            List<String> lines = Files.readAllLines(log);
            assertThat(lines).hasSize(3);
            assertThat(lines.get(1)).isEqualTo("{\"id\":\"ha");
            assertThat(JSON.readTree(lines.get(2)).get("id").asText()).isEqualTo(id);
        }
    }

    /** The file size limit of 8,000 times 512 bytes acts like a full disk. */
    private RunningServer onASmallDisk(String... more) throws IOException {
        Path script = Program.DECIDER.launcherAfter(directory, "ulimit -f 8000");
        Files.writeString(log, ("{\"filler\":\"" + "x".repeat(1000) + "\"}\n").repeat(3900));
        return RunningServer.start(script, flags(more));
    }

    @Test
    void fullDiskInBlockingModeIs500UntilSpaceIsAvailable() throws IOException {
        List<String> answered = new ArrayList<>();
        try (RunningServer server = onASmallDisk("--decision-log-path=" + log, "--decision-log-mode=blocking")) {
            HttpResponse<String> answer = reviewLarge(server);
            while (answer.statusCode() == 200) {
                answered.add(id(answer));
                assertThat(answered).hasSizeLessThan(100);
                answer = reviewLarge(server);
            }
            assertThat(answer.statusCode()).isEqualTo(500);
            assertThat(answer.body())
                    .contains("decision log", "\"kind\":\"Status\"")
                    .doesNotContain("allowed");
            assertThat(lines(log)).extracting(line -> line.path("id").asText()).endsWith(answered.getLast());
            assertThat(metric(server, "decision_log_dropped_total")).isEqualTo(1);
            assertThat(server.err()).contains("log=decision log missing=1 ");
            Files.writeString(log, "");
            HttpResponse<String> again = reviewLarge(server);
            assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
            assertThat(lines(log)).extracting(line -> line.get("id").asText()).containsExactly(id(again));
            assertThat(server.terminate()).isZero();
        }
        assertThat(answered).isNotEmpty();
    }

    @Test
    void fullDiskInBatchModeCountsDroppedEntries() throws IOException {
        int requested = 30;
        try (RunningServer server = onASmallDisk("--decision-log-path=" + log)) {
            for (int i = 0; i < requested; i++) {
                assertThat(reviewLarge(server).statusCode()).isEqualTo(200);
            }
            await().until(() ->
                    metric(server, "decision_log_dropped_total") + metric(server, "decision_log_written_total")
                            == requested);
            assertThat(metric(server, "decision_log_dropped_total")).isPositive();
            lines(log);
            Files.writeString(log, "");
            String id = id(review(server, "alice"));
            await().until(() -> Files.readString(log).contains(id));
            assertThat(lines(log)).hasSize(1);
        }
    }

    private void makePipe() {
        assertThat(Command.of("mkfifo", log.toString()).run().exitStatus()).isZero();
    }

    @Test
    void unreadPipeInBatchModeDelaysNothing() throws IOException {
        makePipe();
        int large = 100;
        try (RunningServer server = start("--decision-log-path=" + log)) {
            for (int i = 0; i < large; i++) {
                assertThat(reviewLarge(server, 200_000).statusCode()).isEqualTo(200);
            }
            assertThat(metric(server, "decision_log_dropped_total")).isPositive();
            assertThat(server.err().split("a log could not be written", -1)).hasSize(2);
            try (BufferedReader reader = Files.newBufferedReader(log)) {
                assertThat(JSON.readTree(reader.readLine()).get("id").asText()).isNotEmpty();
            }
        }
    }

    @Test
    void unreadPipeInBlockingModeIs500() throws IOException {
        makePipe();
        try (RunningServer server = start("--decision-log-path=" + log, "--decision-log-mode=blocking")) {
            HttpResponse<String> rejected = review(server, "alice");
            assertThat(rejected.statusCode()).isEqualTo(500);
            assertThat(client.get(server.at("/readyz")).statusCode()).isEqualTo(200);
            try (BufferedReader reader = Files.newBufferedReader(log)) {
                HttpResponse<String> answer = review(server, "alice");
                assertThat(answer.statusCode()).isEqualTo(200);
                String line = reader.readLine();
                if (JSON.readTree(line).get("id").asText().equals(id(rejected))) {
                    line = reader.readLine();
                }
                assertThat(JSON.readTree(line).get("id").asText()).isEqualTo(id(answer));
            }
            assertThat(server.terminate()).isZero();
        }
    }

    @Test
    void unwritablePathIsRefusedInOneLine() {
        for (String[] wrong : new String[][] {
            {directory.toString(), "\"" + directory + "\" is a directory, expected a file"},
            {directory + "/absent/log", "\"" + directory + "/absent/log\": no such file or directory"}
        }) {
            CompletedProcess rejected = Command.reused(
                            Program.DECIDER,
                            flags("--decision-log-path=" + wrong[0]).toArray(String[]::new))
                    .run();
            assertThat(rejected.exitStatus()).isEqualTo(1);
            assertThat(rejected.err()).isEqualTo("--decision-log-path: " + wrong[1] + "\n");
        }
    }
}
