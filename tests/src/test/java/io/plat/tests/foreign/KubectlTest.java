package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.DelegatingSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stock kubectl with an apiserver-lite that delegates its decisions. */
class KubectlTest {
    private static DelegatingSystem system;

    @TempDir
    private static Path home = Path.of("");

    @BeforeAll
    static void start() {
        assumeTrue(Command.installed("kubectl"), "kubectl is not installed");
        system = DelegatingSystem.start();
        assertThat(kubectl("admin", "create", "namespace", "team-a").err()).isEmpty();
        assertThat(kubectl("admin", "create", "namespace", "team-b").err()).isEmpty();
    }

    @AfterAll
    static void stop() {
        if (system != null) {
            system.close();
        }
    }

    @Test
    void createsReadsAndDeletesFromAFile() throws Exception {
        Path file = Files.writeString(home.resolve("web.yaml"), """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: web
                  labels: {app: web}
                data:
                  greeting: hello
                ---
                apiVersion: v1
                kind: Pod
                metadata:
                  name: web
                  labels: {app: web}
                spec:
                  containers:
                  - name: web
                    image: registry.example/web:1
                """);
        assertThat(kubectl("alice", "get", "pods", "-n", "team-a").err()).contains("No resources found");
        CompletedProcess created = kubectl("alice", "create", "-f", file.toString(), "-n", "team-a");
        assertThat(created.err()).isEmpty();
        assertThat(created.out()).contains("configmap/web created", "pod/web created");
        assertThat(kubectl("alice", "get", "configmap", "web", "-n", "team-a", "-o", "yaml")
                        .out())
                .contains("greeting: hello", "namespace: team-a", "resourceVersion:", "uid:");
        assertThat(kubectl("alice", "get", "pods", "-n", "team-a", "-l", "app=web")
                        .out())
                .contains("NAME", "web");
        assertThat(kubectl("alice", "get", "pods", "-n", "team-a", "-l", "app=other")
                        .err())
                .contains("No resources found");
        assertThat(kubectl("alice", "create", "-f", file.toString(), "-n", "team-a")
                        .err())
                .contains("AlreadyExists", "\"web\" already exists");
        assertThat(kubectl("alice", "delete", "-f", file.toString(), "-n", "team-a", "--wait=false")
                        .out())
                .contains("configmap \"web\" deleted", "pod \"web\" deleted");
        assertThat(kubectl("alice", "get", "configmap", "web", "-n", "team-a").err())
                .contains("NotFound", "configmaps \"web\" not found");
    }

    @Test
    void printsTheServersTables() throws Exception {
        Path file = Files.writeString(home.resolve("tables.yaml"), """
                apiVersion: v1
                kind: Pod
                metadata: {name: shown, labels: {app: shown}}
                spec:
                  containers: [{name: a, image: x}, {name: b, image: x}]
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: shown}
                spec: {ports: [{port: 80}], selector: {app: shown}}
                """);
        assertThat(kubectl("admin", "create", "-n", "team-b", "-f", file.toString())
                        .err())
                .isEmpty();
        assertThat(kubectl("admin", "get", "pods,services", "-n", "team-b").out())
                .containsPattern("NAME +READY +STATUS +RESTARTS +AGE\npod/shown +0/2 +Pending +0 +[0-9]+s")
                .containsPattern(
                        "NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\\(S\\) +AGE\nservice/shown +ClusterIP +.*80/TCP");
        assertThat(kubectl("admin", "get", "pod", "shown", "-n", "team-b", "-o", "wide")
                        .out())
                .containsPattern("IP +NODE +NOMINATED NODE +READINESS GATES\n.* <none> +<none> +<none> +<none>");
        assertThat(kubectl("admin", "get", "pods", "-A", "--show-labels").out())
                .containsPattern("NAMESPACE +NAME .*LABELS\n")
                .containsPattern("team-b +shown .*app=shown");
    }

    @Test
    void describesAnObjectWithItsEvents() throws Exception {
        Path file = Files.writeString(home.resolve("described.yaml"), """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: described}
                data: {greeting: hello}
                ---
                apiVersion: v1
                kind: Event
                metadata: {name: noted}
                type: Normal
                reason: Noted
                message: somebody looked
                involvedObject: {apiVersion: v1, kind: ConfigMap, name: described, namespace: team-b}
                """);
        assertThat(kubectl("admin", "create", "-n", "team-b", "-f", file.toString())
                        .err())
                .isEmpty();
        CompletedProcess described = kubectl("admin", "describe", "configmap", "described", "-n", "team-b");
        assertThat(described.err()).isEmpty();
        assertThat(described.out()).contains("Name:", "described", "greeting:", "hello");
        assertThat(kubectl("admin", "get", "events", "-n", "team-b").out())
                .containsPattern("LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n")
                .contains("configmap/described", "somebody looked");
    }

    @Test
    void readsLongListsInChunks() throws Exception {
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            many.append("---\napiVersion: v1\nkind: Secret\nmetadata: {name: chunk-%02d}\n".formatted(i));
        }
        Path file = Files.writeString(home.resolve("chunks.yaml"), many);
        assertThat(kubectl("admin", "create", "-n", "team-b", "-f", file.toString())
                        .err())
                .isEmpty();
        CompletedProcess listed =
                kubectl("admin", "get", "secrets", "-n", "team-b", "--chunk-size=5", "-o", "name", "-v=6");
        assertThat(listed.out().lines()).hasSize(12).first().isEqualTo("secret/chunk-00");
        assertThat(listed.err().lines().filter(line -> line.contains("limit=5")))
                .as(listed.err())
                .hasSize(3);
    }

    @Test
    void denialsReadLikeKubeApiserver() {
        CompletedProcess denied = kubectl("mallory", "get", "pods", "-n", "team-a");
        assertThat(denied.exitStatus()).isEqualTo(1);
        assertThat(denied.err())
                .startsWith("Error from server (Forbidden): pods is forbidden: User \"mallory\" cannot list resource "
                        + "\"pods\" in API group \"\" in the namespace \"team-a\"");
        assertThat(kubectl("alice", "get", "secrets", "-n", "team-a").err()).contains("(Forbidden)");
    }

    @ParameterizedTest(name = "{0}: kubectl auth can-i {1} -> {2}")
    @CsvSource({
        "alice,   get pods -n team-a,        yes",
        "alice,   get secrets -n team-a,     no",
        "alice,   get pods --subresource=log -n team-a, yes",
        "alice,   delete pods -n team-b,     no",
        "olivia,  delete pods -n team-b,     yes",
        "carol,   list pods -A,              yes",
        "carol,   get secrets -n team-a,     no",
        "admin,   * * -A,                    yes",
        "mallory, get /version,              yes",
        "mallory, get /metrics,              no",
    })
    void canI(String user, String request, String expected) {
        CompletedProcess answer = kubectl(user, ("auth can-i " + request).split(" "));
        assertThat(answer.out()).as(answer.err()).startsWith(expected);
        assertThat(answer.exitStatus()).isEqualTo(expected.equals("yes") ? 0 : 1);
    }

    @Test
    void canIListWorksThroughTheWebhook() {
        CompletedProcess listed = kubectl("alice", "auth", "can-i", "--list", "-n", "team-a");
        assertThat(listed.exitStatus()).isZero();
        assertThat(listed.err()).as("a warning that the list may be incomplete").isEmpty();
        assertThat(listed.out())
                .containsPattern("pods +\\[] +\\[] +\\[get list watch create update patch delete]")
                .containsPattern("\\[/api/\\*] +\\[] +\\[get]");
        assertThat(kubectl("mallory", "auth", "can-i", "--list", "-n", "team-a").out())
                .doesNotContain("pods");
    }

    @Test
    void whoAmIAndDiscovery() {
        assertThat(kubectl("alice", "auth", "whoami").out())
                .contains("alice", "team-a-developers", "system:authenticated");
        assertThat(kubectl("alice", "api-resources").out())
                .contains("configmaps", "pods", "namespaces", "rbac.authorization.k8s.io/v1");
        assertThat(kubectl("alice", "version").out()).contains("Server Version: v1.32");
        assertThat(kubectl("alice", "explain", "configmap.data").out()).contains("KIND:", "ConfigMap");
    }

    @Test
    void misspelledFieldIsRefused() throws Exception {
        Path file = Files.writeString(
                home.resolve("typo.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: typo}\ndtaa: {a: b}\n");
        CompletedProcess rejected = kubectl("alice", "create", "-f", file.toString(), "-n", "team-a");
        assertThat(rejected.exitStatus()).as(rejected.out()).isEqualTo(1);
        assertThat(rejected.err()).contains("unknown field \"dtaa\"");
    }

    private static CompletedProcess kubectl(String user, String... arguments) {
        return Command.of("kubectl", "--kubeconfig", system.clientFile(user).toString())
                .with(arguments)
                .withEnvironment("HOME", home.toString())
                .run();
    }
}
