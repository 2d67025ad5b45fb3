package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.InterruptibleProxy;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A decider that follows the role objects of an API server: before that is reachable, during changes, during an outage and afterwards. */
class FollowedServerTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/namespaces/team-a/rolebindings";
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/namespaces/team-a/roles";

    private static TestPki pki;
    private static HttpsClient client;
    private static Path data;
    private static InterruptibleProxy line;
    private static RunningServer server;
    private static RunningServer decider;
    private static String beforeTheServer = "";
    private static int readyBefore;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("admin", "system:masters");
        client = HttpsClient.of(pki, "admin");
        data = Files.createTempDirectory("plat-data");
        line = InterruptibleProxy.create();
        server = startServer();
        create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"team-a\"}}");
        create(ROLES, role("reader", "pods"));
        create(BINDINGS, binding("first"));
        Path policy = Files.writeString(pki.directory().resolve("abac"), "{\"user\":\"local\"}\n");
        URI followed = URI.create("https://localhost:" + line.port());
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--authorization-mode=ABAC,RBAC",
                "--authorization-policy-file=" + policy,
                "--authorization-rbac-super-user=boss",
                "--authorization-rbac-kubeconfig=" + ClientFiles.write(pki, "follow.conf", followed, "admin")));
        decider = RunningServer.startReused(Program.DECIDER, flags);
        readyBefore = client.get(decider.at("/readyz")).statusCode();
        beforeTheServer = Stream.of("first", "local", "boss", "master")
                .map(user -> user + " " + review(user).statusCode())
                .toList()
                .toString();
        line.connect(server.port());
        await().atMost(SOON).until(() -> client.get(decider.at("/readyz")).statusCode() == 200);
    }

    @AfterAll
    static void stop() {
        client.close();
        decider.close();
        server.close();
        line.close();
        Directories.delete(data);
        pki.close();
    }

    @Test
    void unreachableServerLeavesRoleDecisionsUndecided() {
        assertThat(readyBefore).isEqualTo(500);
        assertThat(beforeTheServer).isEqualTo("[first 503, local 201, boss 201, master 201]");
    }

    @Test
    void existingRolesDecideOnceReady() {
        assertThat(review("first").body())
                .contains("\"allowed\":true", "RoleBinding \\\"first/team-a\\\"", "of Role/team-a/reader");
        assertThat(review("mallory").body()).contains("\"allowed\":false");
    }

    @Test
    void changesTakeEffectAtOnceAsRevisions() throws IOException {
        String before = revision("joe");
        assertThat(allowed("joe")).isFalse();
        create(BINDINGS, binding("joe"));
        await().atMost(SOON).pollInterval(Duration.ofMillis(5)).until(() -> allowed("joe"));
        String granted = revision("joe");
        assertThat(granted).isNotEqualTo(before);
        delete(BINDINGS + "/joe");
        await().atMost(SOON).pollInterval(Duration.ofMillis(5)).until(() -> !allowed("joe"));
        assertThat(revision("joe")).isNotIn(before, granted);
    }

    @Test
    void outageKeepsTheLastPolicyThenCatchesUp() throws IOException {
        create(BINDINGS, binding("passing"));
        await().atMost(SOON).until(() -> allowed("passing"));
        double failures = metric("policy_source_failures_total{resource=\"rolebindings\"}");
        line.cut();
        await().atMost(SOON).until(() -> metric("policy_source_failures_total{resource=\"rolebindings\"}") > failures);
        delete(BINDINGS + "/passing");
        create(BINDINGS, binding("later"));
        assertThat(allowed("passing")).isTrue();
        assertThat(allowed("later")).isFalse();
        assertThat(client.get(decider.at("/readyz")).statusCode()).isEqualTo(200);
        assertThat(metric("policy_source_age_seconds")).isPositive();
        assertThat(decider.err())
                .contains(
                        "nothing has been loaded yet", "loaded 1 roles and", "the last valid policy remains in effect")
                .doesNotContain("Exception", "\tat ");
        server.kill();
        server = startServer();
        line.connect(server.port());
        await().atMost(SOON).until(() -> !allowed("passing") && allowed("later"));
        delete(BINDINGS + "/later");
        await().atMost(SOON).until(() -> !allowed("later"));
    }

    @Test
    void unconfirmedRolesDecideUntilTheirMaximumAge() throws IOException {
        try (InterruptibleProxy way = InterruptibleProxy.create()) {
            way.connect(server.port());
            URI followed = URI.create("https://localhost:" + way.port());
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=0",
                    "--authorization-mode=RBAC",
                    "--roles-staleness-limit=4s",
                    "--authorization-rbac-kubeconfig=" + ClientFiles.write(pki, "limited.conf", followed, "admin")));
            try (RunningServer limited = RunningServer.startReused(Program.DECIDER, flags)) {
                await().atMost(SOON).until(() -> review(limited, "first").statusCode() == 201);
                // Nothing changes, and each watch is shorter than the maximum age of the policy.
                await().atMost(SOON)
                        .until(() -> Metrics.of(client, limited.at("/metrics"))
                                        .value("policy_source_watches_total{resource=\"roles\"}")
                                > 4);
                assertThat(review(limited, "first").body()).contains("\"allowed\":true");
                way.cut();
                assertThat(review(limited, "first").body()).contains("\"allowed\":true");
                await().atMost(SOON).until(() -> review(limited, "first").statusCode() == 503);
                assertThat(review(limited, "master").body()).contains("\"allowed\":true");
                HttpResponse<String> ready = client.get(limited.at("/readyz/roles"));
                assertThat(ready.statusCode()).isEqualTo(500);
                assertThat(ready.body()).contains("authorization data is not current (component=roles)");
                way.connect(server.port());
                await().atMost(SOON).until(() -> review(limited, "first").statusCode() == 201);
                assertThat(client.get(limited.at("/readyz")).statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void metricsReportTheFollowedServer() throws IOException {
        assertThat(metric("policy_source_lists_total{resource=\"roles\"}")).isPositive();
        assertThat(metric("policy_source_watches_total{resource=\"clusterroles\"}"))
                .isPositive();
        assertThat(metric("policy_source_changes_total")).isPositive();
        assertThat(metric("policy_source_unusable_objects{resource=\"roles\"}")).isZero();
        assertThat(metric("policy_objects{kind=\"role\"}")).isPositive();
    }

    @Test
    void unusableFileIsReportedWithItsFlag() throws IOException {
        Path config = Files.writeString(pki.directory().resolve("bad.conf"), """
            clusters: [{name: c, cluster: {server: "http://localhost:1"}}]
            users: [{name: u, user: {exec: {command: /bin/true}}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """);
        CompletedProcess finished = Command.reused(
                        Program.DECIDER, pki.serverFlags().toArray(String[]::new))
                .with("--secure-port=0", "--authorization-mode=RBAC", "--authorization-rbac-kubeconfig=" + config)
                .run();
        assertThat(finished.exitStatus()).isEqualTo(1);
        assertThat(finished.out()).isEmpty();
        assertThat(finished.problems())
                .containsExactly(
                        "--authorization-rbac-kubeconfig: " + config
                                + ":1: cluster \"c\".server: expected an https URL, found \"http\"",
                        "--authorization-rbac-kubeconfig: " + config
                                + ":2: user \"u\".exec: not supported, credentials are certificates and tokens");
    }

    private static RunningServer startServer() {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--authorization-mode=AlwaysAllow",
                "--authorization-rbac-default-roles=false",
                "--data-dir=" + data));
        return RunningServer.start(Program.APISERVER_LITE, flags);
    }

    private static void create(String path, String object) throws IOException {
        HttpResponse<String> answer = client.post(server.at(path), object);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private static void delete(String path) throws IOException {
        assertThat(client.send("DELETE", server.at(path), null).statusCode()).isEqualTo(200);
    }

    private static String role(String name, String resource) {
        return """
            {"metadata":{"name":"%s"},"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["%s"]}]}\
            """.formatted(name, resource);
    }

    /** Binds a user to the role with the user's name. */
    private static String binding(String user) {
        return """
            {"metadata":{"name":"%s"},"subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"%s"}],
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"reader"}}\
            """.formatted(user, user);
    }

    private static boolean allowed(String user) {
        HttpResponse<String> answer = review(user);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return answer.body().contains("\"allowed\":true");
    }

    private static String revision(String user) {
        return review(user).headers().firstValue("Policy-Revision").orElseThrow();
    }

    private static HttpResponse<String> review(String user) {
        return review(decider, user);
    }

    private static HttpResponse<String> review(RunningServer requested, String user) {
        try {
            return client.post(requested.at("/apis/authorization.k8s.io/v1/subjectaccessreviews"), """
                {"spec":{"user":"%s","groups":["%s"],
                 "resourceAttributes":{"namespace":"team-a","verb":"get","resource":"pods"}}}\
                """.formatted(
                            user, user.equals("master") ? "system:masters" : "x"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static double metric(String name) throws IOException {
        return Metrics.of(client, decider.at("/metrics")).value(name);
    }
}
