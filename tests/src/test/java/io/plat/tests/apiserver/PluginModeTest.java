package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.PluginJar;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.ScriptedPlugin;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that authorizes by role objects and then by plug-ins: the documented example, and one that fails in every way. */
class PluginModeTest {
    private static final Duration DEADLINE = Duration.ofSeconds(3).plusSeconds(3);
    private static final String EXAMPLE = "com.example.HomeNamespaces";
    private static final Path EXAMPLE_DIRECTORY = Checkout.path("decider/examples/home-namespaces");

    @TempDir
    static Path directory = Path.of("");

    private static TestPki pki;
    private static RunningServer server;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("admin", "system:masters").client("mallory");
        for (String user : List.of("allowed", "refused", "thrower", "speechless", "sleeper", "alice")) {
            pki.client(user);
        }
        pki.client("reader", "readers");
        Path plugins = Files.createDirectory(directory.resolve("plugins"));
        ScriptedPlugin.write(plugins);
        exampleJar(plugins);
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--data-dir=" + directory.resolve("data"),
                "--authorization-mode=HomeNamespaces,RBAC,Moody",
                "--runtime-config=rbac.authorization.plat.io/v1alpha1=true",
                "--authorization-plugin-dir=" + plugins));
        server = RunningServer.startReused(Program.APISERVER_LITE, flags);
        try (HttpsClient admin = HttpsClient.of(pki, "admin")) {
            String rbac = "/apis/rbac.authorization.k8s.io/v1/";
            created(admin, rbac + "clusterroles", """
                    {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"reader"},
                     "rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["list"]}]}""");
            created(admin, rbac + "clusterrolebindings", """
                    {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"readers"},
                     "subjects":[{"kind":"Group","name":"readers","apiGroup":"rbac.authorization.k8s.io"}],
                     "roleRef":{"kind":"ClusterRole","name":"reader","apiGroup":"rbac.authorization.k8s.io"}}""");
            created(admin, "/api/v1/namespaces", """
                    {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"home-alice"}}""");
        }
    }

    /** Built from the existing files as its README describes. */
    private static void exampleJar(Path plugins) throws IOException {
        String source = Files.readString(EXAMPLE_DIRECTORY.resolve("src/com/example/HomeNamespaces.java"));
        String provided = Files.readString(
                EXAMPLE_DIRECTORY.resolve("resources/META-INF/services/io.plat.engine.plugin.AuthorizerPlugin"));
        assertThat(provided.strip()).isEqualTo(EXAMPLE);
        PluginJar.of(EXAMPLE, source).providing(EXAMPLE).write(plugins.resolve("home-namespaces.jar"));
    }

    private static void created(HttpsClient admin, String path, String object) throws IOException {
        HttpResponse<String> response = admin.post(server.at(path), object);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        server.close();
        pki.close();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            allowed    | 200 | "kind":"PodList"
            reader     | 200 | "kind":"PodList"
            admin      | 200 | "kind":"PodList"
            refused    | 403 | no RBAC policy matched; refused by plug-in \\"Moody\\": not in the mood
            thrower    | 500 | Moody: the plug-in threw IOException
            speechless | 500 | Moody: the plug-in returned no decision
            """)
    void pluginResultDeterminesTheResponse(String user, int code, String content) throws IOException {
        try (HttpsClient client = HttpsClient.of(pki, user)) {
            HttpResponse<String> response = client.get(server.at("/api/v1/namespaces/default/pods"));
            assertThat(response.statusCode()).as(response.body()).isEqualTo(code);
            assertThat(response.body()).contains(content).doesNotContain("abc", "java.io", "\\tat ");
        }
    }

    @Test
    void hangingPluginFailsWithinItsDeadline() throws IOException {
        try (HttpsClient client = HttpsClient.of(pki, "sleeper")) {
            long begin = System.nanoTime();
            HttpResponse<String> response = client.get(server.at("/api/v1/namespaces/default/pods"));
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(DEADLINE);
            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.body()).contains("Moody: the plug-in did not answer within 3000 ms");
        }
    }

    @Test
    void examplePluginGrantsHomeNamespaces() throws IOException {
        String greeting = """
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"greeting"},"data":{"hello":"world"}}""";
        String home = "/api/v1/namespaces/home-alice/configmaps";
        try (HttpsClient alice = HttpsClient.of(pki, "alice");
                HttpsClient mallory = HttpsClient.of(pki, "mallory")) {
            assertThat(alice.post(server.at(home), greeting).statusCode()).isEqualTo(201);
            HttpResponse<String> stranger = mallory.get(server.at(home));
            assertThat(stranger.statusCode()).isEqualTo(403);
            assertThat(stranger.body()).contains("refused by plug-in \\\"HomeNamespaces\\\": not in the user's home");
            for (String group : List.of("rbac.authorization.k8s.io/v1", "rbac.authorization.plat.io/v1alpha1")) {
                HttpResponse<String> roles =
                        alice.get(server.at("/apis/" + group + "/namespaces/home-alice/rolebindings"));
                assertThat(roles.statusCode()).as(group).isEqualTo(403);
                assertThat(roles.body()).contains("a home has no roles of its own");
            }
        }
    }

    @Test
    void reviewReturnsThePluginDecision() throws IOException {
        String review = """
                {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"alice",
                 "resourceAttributes":{"verb":"create","resource":"configmaps","namespace":"%s"}}}""";
        String path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
        try (HttpsClient admin = HttpsClient.of(pki, "admin")) {
            HttpResponse<String> yes = admin.post(server.at(path), review.formatted("home-alice"));
            assertThat(yes.statusCode()).as(yes.body()).isEqualTo(201);
            assertThat(yes.body())
                    .contains(
                            "\"allowed\":true",
                            "allowed by plug-in \\\"HomeNamespaces\\\": namespace home-alice is the user's home");
            HttpResponse<String> no = admin.post(server.at(path), review.formatted("home-bob"));
            assertThat(no.body()).contains("\"allowed\":false");
        }
    }
}
