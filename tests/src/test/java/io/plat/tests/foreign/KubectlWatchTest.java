package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watches of stock kubectl. */
class KubectlWatchTest {
    private static StandaloneServer server;

    @TempDir
    private static Path home = Path.of("");

    @BeforeAll
    static void start() {
        assumeTrue(Command.installed("kubectl"), "kubectl is not installed");
        server = StandaloneServer.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static CompletedProcess kubectl(String... arguments) {
        return Command.of(
                        "kubectl",
                        "-n",
                        "default",
                        "--kubeconfig",
                        server.clientFile().toString())
                .with(arguments)
                .withEnvironment("HOME", home.toString())
                .run();
    }

    /** A running kubectl process and its output. */
    private record Running(Process process, Path out) implements AutoCloseable {
        static Running of(String... arguments) throws IOException {
            List<String> words = new ArrayList<>(List.of(
                    "kubectl",
                    "-n",
                    "default",
                    "--kubeconfig",
                    server.clientFile().toString()));
            words.addAll(List.of(arguments));
            Path out = Files.createTempFile(home, "kubectl", ".out");
            ProcessBuilder builder =
                    new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(out.toFile());
            builder.environment().put("HOME", home.toString());
            return new Running(builder.start(), out);
        }

        void prints(String text) {
            await("kubectl prints " + text)
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(Files.readString(out)).contains(text));
        }

        @Override
        public void close() {
            process.destroy();
        }
    }

    @Test
    void getWatchShowsChanges() throws IOException {
        try (Running get = Running.of("get", "configmaps", "-w", "-o", "name");
                Running table = Running.of("get", "configmaps", "-w", "--output-watch-events")) {
            kubectl("create", "configmap", "shown", "--from-literal=a=b");
            get.prints("configmap/shown");
            table.prints("ADDED");
            kubectl("delete", "configmap", "shown");
            await().untilAsserted(
                            () -> assertThat(Files.readString(table.out())).containsPattern("DELETED +shown"));
        }
    }

    @Test
    void getWatchStartsWithExistingObjects() throws IOException {
        kubectl("create", "configmap", "before", "--from-literal=a=b");
        try (Running one = Running.of("get", "configmap", "before", "-w", "-o", "jsonpath={.data.a}{\"\\n\"}")) {
            one.prints("b\n");
            kubectl("patch", "configmap", "before", "--type=merge", "-p", "{\"data\":{\"a\":\"c\"}}");
            one.prints("c\n");
        }
    }

    @Test
    void waitsForConditionAndDeletion() throws IOException {
        kubectl("create", "configmap", "awaited", "--from-literal=state=begun");
        try (Running waiting =
                        Running.of("wait", "configmap/awaited", "--for=jsonpath={.data.state}=done", "--timeout=40s");
                Running deleted = Running.of("wait", "configmap/awaited", "--for=delete", "--timeout=40s")) {
            kubectl("patch", "configmap", "awaited", "--type=merge", "-p", "{\"data\":{\"state\":\"done\"}}");
            waiting.prints("condition met");
            kubectl("delete", "configmap", "awaited");
            deleted.prints("condition met");
        }
    }

    @Test
    void deletionWaitsSilently() {
        kubectl("create", "configmap", "deleted", "--from-literal=a=b");
        CompletedProcess deleted = kubectl("delete", "configmap", "deleted");
        assertThat(deleted.err()).isEmpty();
        assertThat(deleted.out()).contains("configmap \"deleted\" deleted");
        assertThat(kubectl("create", "namespace", "deleted").err()).isEmpty();
        CompletedProcess namespace = kubectl("delete", "namespace", "deleted");
        assertThat(namespace.err()).doesNotContainIgnoringCase("error");
        assertThat(namespace.out()).contains("namespace \"deleted\" deleted");
        assertThat(kubectl("get", "namespace", "deleted").err()).contains("NotFound");
    }
}
