package io.plat.tests.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Program;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policy commands: with a server's role objects, its audit log, and the samples. */
class PolicyCommandsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SAMPLES = Checkout.path("conf/samples/rbac").toString();
    private static final String LINES =
            Checkout.path("conf/samples/abac/policy.jsonl").toString();

    @TempDir
    private static Path logs = Path.of("");

    private static StandaloneServer server;

    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void start() throws IOException {
        Path policy = Files.writeString(
                logs.resolve("audit.yaml"), "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n");
        server = StandaloneServer.startWithRoles(
                "--audit-policy-file=" + policy,
                "--audit-log-path=" + logs.resolve("audit.log"),
                "--audit-log-mode=blocking");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static CompletedProcess plat(String... arguments) {
        return Command.reused(Program.PLAT, arguments).run();
    }

    private static CompletedProcess online(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--kubeconfig=" + server.clientFile());
        return plat(all.toArray(String[]::new));
    }

    @Test
    void rolesOfAServerAreComparedWithFiles() throws IOException {
        CompletedProcess same = online("diff", "server:", "server:");
        assertThat(same.exitStatus()).isZero();
        assertThat(same.out()).isEqualTo("no access is granted or revoked\n");
        assertThat(same.err())
                .startsWith("warning: only the server's role objects are compared: ")
                .hasLineCount(1);
        CompletedProcess widened = online("diff", "server:", SAMPLES, "--fail-on", "widen", "-o", "json");
        assertThat(widened.exitStatus()).isEqualTo(1);
        List<String> subjects = new ArrayList<>();
        JSON.readTree(widened.out())
                .path("granted")
                .forEach(row -> subjects.add(row.at("/subject/name").asText()));
        assertThat(subjects).contains("team-a-developers", "operators").doesNotContain("system:masters");
    }

    @Test
    void auditLogIsReplayed() throws Exception {
        int status = server.client()
                .http()
                .send(
                        HttpRequest.newBuilder(server.at("/api/v1/namespaces/team-a/pods"))
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
        assertThat(status).isEqualTo(200);
        String log = logs.resolve("audit.log").toString();

        CompletedProcess flipped = plat("replay", log, "--authorization-policy-file", LINES, "-o", "json");

        assertThat(flipped.exitStatus()).as(flipped.toString()).isEqualTo(1);
        JsonNode flip = JSON.readTree(flipped.out()).path("flips").path(0);
        assertThat(flip.path("was").asText()).isEqualTo("allow");
        assertThat(flip.path("spec").path("user").asText()).isEqualTo("admin");
        String learned = plat("replay", log, "--learn", "admin").out();
        Path role = Files.writeString(directory.resolve("learned.yaml"), learned);
        assertThat(plat("replay", log, "--authorization-rbac-path", role.toString())
                        .exitStatus())
                .isZero();
    }

    @Test
    void samplesConvertBothWays() throws IOException {
        CompletedProcess roles = plat("convert", LINES);
        Path converted = Files.writeString(directory.resolve("roles.yaml"), roles.out());

        assertThat(roles.exitStatus()).as(roles.err()).isZero();
        assertThat(roles.err()).contains("assumed: no request for selfsubjectaccessreviews has a namespace");
        JsonNode change = JSON.readTree(
                plat("diff", LINES, converted.toString(), "-o", "json").out());
        List<String> granted = new ArrayList<>();
        change.path("granted").forEach(row -> granted.add(row.at("/resources/0").asText()));
        assertThat(granted).containsOnly("selfsubjectaccessreviews", "selfsubjectreviews");
    }

    @Test
    void samplesHaveNoFindings() {
        CompletedProcess result = plat("lint", SAMPLES, "-o", "sarif", "--severity", "warning");

        assertThat(result.out()).contains("\"version\" : \"2.1.0\"").doesNotContain("\"ruleId\" : \"dangling-role\"");
    }
}
