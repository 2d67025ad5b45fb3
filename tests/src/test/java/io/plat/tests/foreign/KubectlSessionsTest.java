package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Stock kubectl sessions whose output is stored as text. No command has a flag that works around anything. */
class KubectlSessionsTest {
    private static StandaloneServer server;

    @TempDir
    private static Path home = Path.of("");

    @BeforeAll
    static void start() {
        assumeTrue(Command.installed("kubectl"), "kubectl is not installed");
        server = StandaloneServer.startWithRoles();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @TestFactory
    Stream<DynamicContainer> sessions() {
        return Stream.of("create", "apply", "custom", "kustomize", "workloads", "access")
                .map(KubectlSessionsTest::session);
    }

    private static DynamicContainer session(String name) {
        try {
            Session session = Session.read(name);
            Path directory = directory(name);
            session.writeTo(directory);
            for (String ending : new String[] {"crt", "key"}) {
                Files.copy(Path.of(server.pki().file("server." + ending)), directory.resolve("tls." + ending));
            }
            return DynamicContainer.dynamicContainer(
                    name,
                    session.steps().stream().map(step -> DynamicTest.dynamicTest(step.line(), () -> run(name, step))));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A working directory, and a namespace with its name. */
    private static Path directory(String name) throws IOException {
        assertThat(kubectl(home, "default", Map.of(), "create", "namespace", name)
                        .err())
                .isEmpty();
        return Files.createDirectory(home.resolve(name));
    }

    private static void run(String session, Session.Step step) {
        CompletedProcess result = kubectl(
                home.resolve(session),
                session,
                step.environment(),
                step.arguments().toArray(String[]::new));
        String printed = result.out() + result.err();
        assertThat(printed.isEmpty() || printed.endsWith("\n") ? printed : printed + "\n")
                .matches(step.printed());
        assertThat(result.exitStatus()).isEqualTo(step.status());
    }

    private static CompletedProcess kubectl(
            Path directory, String namespace, Map<String, String> environment, String... arguments) {
        Command command = Command.of("sh", "-c", "cd \"$0\" && exec \"$@\"", directory.toString(), "kubectl")
                .with("--kubeconfig", server.clientFile().toString(), "--namespace", namespace)
                .with(arguments)
                .withEnvironment("HOME", home.toString());
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            command = command.withEnvironment(variable.getKey(), variable.getValue());
        }
        return command.run();
    }

    private static String typed(String line) {
        CompletedProcess result = kubectl(home.resolve("history"), "history", Map.of(), line.split(" "));
        assertThat(result.exitStatus()).as(result.err()).isZero();
        return result.out();
    }

    /** There is no controller for replica sets; the test creates what it would create. */
    @Test
    void rolloutHistoryListsOwnedReplicaSets() throws IOException {
        Path directory = directory("history");
        typed("create deployment web --image=registry.example/web:2");
        String uid = typed("get deployment web -o jsonpath={.metadata.uid}");
        for (int revision = 1; revision <= 2; revision++) {
            Files.writeString(directory.resolve("set.yaml"), """
                    apiVersion: apps/v1
                    kind: ReplicaSet
                    metadata:
                      name: web-%1$d
                      labels: {app: web}
                      annotations: {deployment.kubernetes.io/revision: "%1$d", kubernetes.io/change-cause: image %1$d}
                      ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: %2$s, controller: true}]
                    spec:
                      selector: {matchLabels: {app: web}}
                      template:
                        metadata: {labels: {app: web}}
                        spec: {containers: [{name: web, image: "registry.example/web:%1$d"}]}
                    """.formatted(revision, uid));
            typed("create -f set.yaml");
        }
        assertThat(typed("rollout history deployment web"))
                .containsPattern("REVISION +CHANGE-CAUSE\n1 +image 1\n2 +image 2\n");
        assertThat(typed("rollout history deployment web --revision=1")).contains("registry.example/web:1");
        assertThat(typed("rollout undo deployment web --to-revision=1")).contains("deployment.apps/web rolled back");
        assertThat(typed("get deployment web -o jsonpath={.spec.template.spec.containers[0].image}"))
                .isEqualTo("registry.example/web:1");
    }
}
