package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Default roles of a server from its first start: their effect, and the reconciliation of changes. */
class DefaultRolesTest {
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String MERGE = "application/merge-patch+json";
    private static final ObjectMapper JSON = new ObjectMapper();

    private static TestPki pki;
    private static Path directory;
    private static RunningServer server;
    private static HttpsClient admin;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("admin", "system:masters").client("alice").client("bob");
        directory = Files.createTempDirectory("plat-defaults");
        server = launch("data");
        admin = HttpsClient.of(pki, "admin");
    }

    @AfterAll
    static void stop() {
        admin.close();
        server.close();
        Directories.delete(directory);
        pki.close();
    }

    private static RunningServer launch(String data, String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--authorization-mode=RBAC",
                "--runtime-config=rbac.authorization.plat.io/v1alpha1=true",
                "--data-dir=" + directory.resolve(data)));
        flags.addAll(Arrays.asList(more));
        return RunningServer.startReused(Program.APISERVER_LITE, flags);
    }

    private static JsonNode read(String path) throws IOException {
        return JSON.readTree(admin.get(server.at(path)).body());
    }

    private static int code(HttpsClient client, String method, String path, @Nullable String body) throws IOException {
        return client.send(method, server.at(path), body).statusCode();
    }

    private static String binding(String name, String user, String role) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"subjects\":[{\"kind\":\"User\",\"name\":\"" + user
                + "\"}],\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"ClusterRole\",\"name\":\""
                + role + "\"}}";
    }

    @Test
    void everyUserMayDiscoverAndReviewTheirOwnAccess() throws IOException {
        try (HttpsClient anonymous = HttpsClient.of(pki, null);
                HttpsClient alice = HttpsClient.of(pki, "alice")) {
            assertThat(anonymous.get(server.at("/version")).statusCode()).isEqualTo(200);
            assertThat(anonymous.get(server.at("/apis")).statusCode()).isEqualTo(403);
            assertThat(alice.get(server.at("/apis")).statusCode()).isEqualTo(200);
            assertThat(alice.get(server.at("/openapi/v3")).statusCode()).isEqualTo(200);
            assertThat(code(
                            alice,
                            "POST",
                            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                            "{\"spec\":{\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\"}}}"))
                    .isEqualTo(201);
            assertThat(code(alice, "GET", "/api/v1/pods", null)).isEqualTo(403);
        }
    }

    @Test
    void namespaceAdminGrantsEditButNotClusterAdmin() throws IOException {
        await().untilAsserted(() ->
                assertThat(read(RBAC + "clusterroles/admin").path("rules")).hasSizeGreaterThan(20));
        String bindings = RBAC + "namespaces/default/rolebindings";
        assertThat(code(admin, "POST", bindings, binding("alice-admin", "alice", "admin")))
                .isEqualTo(201);
        try (HttpsClient alice = HttpsClient.of(pki, "alice");
                HttpsClient bob = HttpsClient.of(pki, "bob")) {
            String maps = "/api/v1/namespaces/default/configmaps";
            assertThat(code(bob, "GET", maps, null)).isEqualTo(403);
            assertThat(code(alice, "POST", bindings, binding("bob-edit", "bob", "edit")))
                    .isEqualTo(201);
            assertThat(code(bob, "POST", maps, "{\"metadata\":{\"name\":\"bobs\"}}"))
                    .isEqualTo(201);
            assertThat(code(bob, "POST", bindings, binding("bob-admin", "bob", "admin")))
                    .as("the role edit does not allow binding")
                    .isEqualTo(403);
            assertThat(alice.post(server.at(bindings), binding("more", "alice", "cluster-admin"))
                            .body())
                    .contains("{APIGroups:[\\\"*\\\"], Resources:[\\\"*\\\"], Verbs:[\\\"*\\\"]}")
                    .contains("{NonResourceURLs:[\\\"*\\\"], Verbs:[\\\"*\\\"]}");
        }
    }

    @Test
    void restartRestoresMissingPartsOnly() throws IOException {
        List<Long> starts = new ArrayList<>();
        long before = System.nanoTime();
        try (RunningServer first = launch("restarted")) {
            starts.add(System.nanoTime() - before);
            send(
                    first,
                    "clusterroles/system:discovery",
                    "{\"rules\":[{\"verbs\":[\"put\"],\"nonResourceURLs\":[\"/x\"]}]}");
            send(
                    first,
                    "clusterroles/system:basic-user",
                    "{\"rules\":null,\"metadata\":{\"annotations\":{\"rbac.authorization.kubernetes.io/autoupdate\":\"false\"}}}");
            assertThat(admin.send("DELETE", first.at(RBAC + "clusterrolebindings/system:basic-user"), null)
                            .statusCode())
                    .isEqualTo(200);
        }
        before = System.nanoTime();
        try (RunningServer second = launch("restarted")) {
            starts.add(System.nanoTime() - before);
            assertThat(admin.get(second.at(RBAC + "clusterroles/system:discovery"))
                            .body())
                    .contains("\"/x\"", "/openapi/*");
            assertThat(admin.get(second.at(RBAC + "clusterroles/system:basic-user"))
                            .body())
                    .doesNotContain("selfsubjectaccessreviews");
            assertThat(admin.get(second.at(RBAC + "clusterrolebindings/system:basic-user"))
                            .statusCode())
                    .isEqualTo(200);
        }
        before = System.nanoTime();
        try (RunningServer none = launch("without", "--authorization-rbac-default-roles=none")) {
            starts.add(System.nanoTime() - before);
            assertThat(JSON.readTree(admin.get(none.at(RBAC + "clusterroles")).body())
                            .path("items"))
                    .isEmpty();
        }
        System.out.printf(
                "start: %d ms when creating the default roles, %d ms with existing ones, %d ms without%n",
                starts.get(0) / 1_000_000, starts.get(1) / 1_000_000, starts.get(2) / 1_000_000);
    }

    @Test
    void defaultRolesRequireRbacMode() {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--authorization-mode=AlwaysAllow",
                "--data-dir=" + directory.resolve("refused"),
                "--authorization-rbac-default-roles"));
        CompletedProcess rejected = Command.reused(Program.APISERVER_LITE, flags.toArray(String[]::new))
                .run();
        assertThat(rejected.exitStatus()).isEqualTo(2);
        assertThat(rejected.err().strip())
                .isEqualTo("--authorization-rbac-default-roles: requires mode \"RBAC\" in " + "--authorization-mode");
    }

    private static void send(RunningServer to, String object, String patch) throws IOException {
        assertThat(admin.send("PATCH", to.at(RBAC + object), MERGE, patch).statusCode())
                .isEqualTo(200);
    }
}
