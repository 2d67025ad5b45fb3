package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
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
import org.junit.jupiter.api.io.TempDir;

/**
 * A stock kube-apiserver between two deciders: one is its authorization webhook, used with kubectl, and another follows its role objects.
 * In the full run only, as compiling it takes long.
 */
class StockApiServerTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final JsonMapper JSON = new JsonMapper();

    private static final String ROLES = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: reader}
            rules:
            - {apiGroups: [""], resources: [pods, configmaps], verbs: [get, list, watch]}
            - {apiGroups: [authorization.k8s.io], resources: [selfsubjectaccessreviews], verbs: [create]}
            - {nonResourceURLs: [/api, /api/*, /apis, /apis/*, /version], verbs: [get]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: readers}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
            subjects:
            - {kind: Group, name: team-a, apiGroup: rbac.authorization.k8s.io}
            """;

    @TempDir
    private static Path home = Path.of("");

    private static TestPki pki;
    private static HttpsClient apiServer;
    private static RunningServer requested;
    private static StockApiServer server;
    private static RunningServer following;

    @BeforeAll
    static void start() throws IOException {
        assumeThat(FULL).as("compiled in the full run only").isTrue();
        StockApiServer.build();
        pki = TestPki.create()
                .client("admin", "system:masters")
                .client("kube-apiserver")
                .client("alice", "team-a");
        apiServer = HttpsClient.of(pki, "kube-apiserver");
        Path roles = Files.writeString(home.resolve("roles.yaml"), ROLES);
        requested = decider("--authorization-rbac-path=" + roles, "--decision-log-path=" + decisions());
        server = StockApiServer.start(
                pki, ClientFiles.write(pki, "webhook.conf", requested.at("/authorize"), "kube-apiserver"));
        following = decider(
                "--authorization-rbac-kubeconfig=" + ClientFiles.write(pki, "admin.conf", server.address(), "admin"));
        await().atMost(SOON).until(() -> apiServer.get(following.at("/readyz")).statusCode() == 200);
        kubectl("admin", "create", "namespace", "team-a");
        kubectl("admin", "create", "role", "looker", "--verb=get,list", "--resource=pods");
    }

    @AfterAll
    static void stop() {
        Stream.of(following, server, requested, apiServer, pki).forEach(StockApiServerTest::close);
    }

    private static void close(AutoCloseable started) {
        try {
            if (started != null) {
                started.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static RunningServer decider(String... flags) {
        List<String> all = new ArrayList<>(pki.serverFlags());
        all.addAll(List.of("--secure-port=0", "--authorization-mode=RBAC"));
        all.addAll(List.of(flags));
        return RunningServer.start(Program.DECIDER, all);
    }

    private static Path decisions() {
        return home.resolve("decisions.log");
    }

    private static CompletedProcess kubectl(String user, String... arguments) {
        Path file = ClientFiles.write(pki, user + ".conf", server.address(), user);
        return Command.of("kubectl", "--kubeconfig", file.toString())
                .with(arguments)
                .withEnvironment("HOME", home.toString())
                .run();
    }

    @Test
    void decisionsOfTheDeciderApply() {
        assertThat(kubectl("alice", "get", "pods").exitStatus()).isZero();
        CompletedProcess rejected = kubectl("alice", "get", "secrets");
        assertThat(rejected.exitStatus()).isEqualTo(1);
        assertThat(rejected.err())
                .contains(
                        "User \"alice\" cannot list resource \"secrets\" in API group \"\" in the namespace \"team-a\"")
                .contains("no RBAC policy matched");
        assertThat(kubectl("alice", "auth", "can-i", "watch", "pods").out()).isEqualTo("yes\n");
        assertThat(kubectl("alice", "auth", "can-i", "delete", "pods").out()).startsWith("no");
        assertThat(kubectl("alice", "get", "--raw", "/version").exitStatus()).isZero();
        assertThat(kubectl("alice", "get", "--raw", "/metrics").exitStatus()).isEqualTo(1);
    }

    @Test
    void selectorsReachThePolicyUnchanged() throws IOException {
        assertThat(kubectl("alice", "get", "pods", "-l", "app in (a,b)", "--field-selector", "spec.nodeName=n1")
                        .exitStatus())
                .isZero();
        JsonNode spec = lastAbout("pods").path("spec");
        JsonNode about = spec.path("resourceAttributes");
        assertThat(about.at("/fieldSelector/requirements/0/key").asText()).isEqualTo("spec.nodeName");
        assertThat(about.at("/labelSelector/requirements/0/values").toString()).isEqualTo("[\"a\",\"b\"]");
        assertThat(about.path("version").asText()).isEqualTo("v1");
        assertThat(spec.path("groups").toString()).isEqualTo("[\"team-a\",\"system:authenticated\"]");
        assertThat(spec.at("/extra/authentication.kubernetes.io~1credential-id/0")
                        .asText())
                .startsWith("X509SHA256=");
    }

    private static JsonNode lastAbout(String resource) throws IOException {
        await().atMost(SOON)
                .until(() -> Files.readString(decisions()).contains("\"labelSelector\"")
                        && Files.readString(decisions()).endsWith("\n"));
        JsonNode last = JSON.missingNode();
        for (String line : Files.readAllLines(decisions())) {
            JsonNode decided = JSON.readTree(line);
            JsonNode about = decided.at("/spec/resourceAttributes");
            if (about.path("resource").asText().equals(resource) && about.has("labelSelector")) {
                last = decided;
            }
        }
        return last;
    }

    @Test
    void changedRoleObjectsTakeEffect() {
        assertThat(review("bob", "get", "pods")).contains("\"allowed\":false");
        assertThat(kubectl("admin", "create", "rolebinding", "bob", "--role=looker", "--user=bob")
                        .exitStatus())
                .isZero();
        await().atMost(SOON).until(() -> review("bob", "get", "pods").contains("of Role/team-a/looker"));
        assertThat(kubectl("admin", "delete", "rolebinding", "bob").exitStatus())
                .isZero();
        await().atMost(SOON).until(() -> review("bob", "get", "pods").contains("\"allowed\":false"));
    }

    @Test
    void defaultRolesAreFollowed() {
        assertThat(review("system:kube-scheduler", "list", "pods"))
                .contains("\"allowed\":true", "ClusterRoleBinding \\\"system:kube-scheduler\\\"");
        assertThat(review("system:kube-scheduler", "delete", "secrets")).contains("\"allowed\":false");
    }

    @Test
    void outageOfKubeApiserverIsTolerated() throws InterruptedException {
        kubectl("admin", "create", "rolebinding", "carol", "--role=looker", "--user=carol");
        await().atMost(SOON).until(() -> review("carol", "get", "pods").contains("\"allowed\":true"));
        server.stop();
        assertThat(review("carol", "get", "pods")).contains("\"allowed\":true");
        server.startAgain();
        assertThat(kubectl("admin", "delete", "rolebinding", "carol").exitStatus())
                .isZero();
        await().atMost(SOON).until(() -> review("carol", "get", "pods").contains("\"allowed\":false"));
    }

    private static String review(String user, String verb, String resource) {
        String body = """
                {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"%s","resourceAttributes":{
                "namespace":"team-a","verb":"%s","resource":"%s"}}}""".formatted(user, verb, resource);
        try {
            HttpResponse<String> answer = apiServer.post(following.at("/authorize"), body);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return answer.body();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
