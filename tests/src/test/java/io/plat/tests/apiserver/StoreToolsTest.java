package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.EmbeddedOnly;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code apiserver-lite check} and {@code backup} with running, killed and damaged stores. */
@Order(1)
@EmbeddedOnly("checks, damages and copies its files")
class StoreToolsTest {
    private static TestPki pki;

    private final Path directory;

    StoreToolsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeAll
    static void createPki() {
        pki = TestPki.create().client("admin", "system:masters");
    }

    @AfterAll
    static void deletePki() {
        pki.close();
    }

    private static List<String> flags(Path data) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow", "--data-dir=" + data));
        return flags;
    }

    private static RunningServer start(Path data) {
        return RunningServer.startReused(Program.APISERVER_LITE, flags(data));
    }

    private static CompletedProcess check(Path data) {
        return Command.reused(Program.APISERVER_LITE, "check", "--data-dir=" + data)
                .run();
    }

    private static CompletedProcess backup(Path data, Path to, String... more) {
        return Command.reused(Program.APISERVER_LITE, "backup", "--data-dir=" + data, "--to=" + to)
                .with(more)
                .run();
    }

    private static void create(HttpsClient client, RunningServer server, String name) throws IOException {
        var answer = client.post(
                server.at("/api/v1/namespaces/default/configmaps"),
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                        + "\"},\"data\":{\"filler\":\"" + "x".repeat(500) + "\"}}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private static String names(HttpsClient client, RunningServer server) throws IOException {
        return client.get(server.at("/api/v1/namespaces/default/configmaps")).body();
    }

    private Path killedStore(int objects) throws IOException {
        Path data = directory.resolve("data");
        try (RunningServer server = RunningServer.start(Program.APISERVER_LITE, flags(data));
                HttpsClient client = HttpsClient.of(pki, "admin")) {
            for (int i = 0; i < objects; i++) {
                create(client, server, "c" + i);
            }
            server.kill();
        }
        return data;
    }

    @Test
    void killedStoreIsConsistentAndCheckIsReadOnly() throws IOException {
        Path data = killedStore(30);
        byte[] log = Files.readAllBytes(data.resolve("objects.db-wal"));
        CompletedProcess first = check(data);
        assertThat(first.err()).isEmpty();
        assertThat(first.exitStatus()).isZero();
        assertThat(first.out())
                .matches("objects: [0-9]+\nrevision: [0-9]+\nhistory: [0-9]+ changes after revision "
                        + "[0-9]+\nbytes: [0-9]+\nno damage\n");
        assertThat(Files.readAllBytes(data.resolve("objects.db-wal"))).isEqualTo(log);
        assertThat(check(data)).isEqualTo(first);
    }

    @Test
    void storeInUseIsNotChecked() {
        Path data = directory.resolve("data");
        try (RunningServer server = start(data)) {
            CompletedProcess rejected = check(data);
            assertThat(rejected.exitStatus()).isEqualTo(1);
            assertThat(rejected.err())
                    .isEqualTo("--data-dir: the data directory \"" + data + "\" is in use by another process\n");
            assertThat(server.port()).isPositive();
        }
    }

    @Test
    void damageIsReported() throws IOException {
        Path data = killedStore(30);
        try (RunningServer server = start(data)) {
            server.terminate();
        }
        try (var file = new RandomAccessFile(data.resolve("objects.db").toFile(), "rw")) {
            byte[] bytes = new byte[(int) file.length()];
            file.readFully(bytes);
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            for (String name : List.of("\"c7\"", "\"c11\"")) {
                file.seek(text.indexOf(name) + 1);
                file.write('d');
            }
        }
        CompletedProcess result = check(data);
        assertThat(result.exitStatus()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().lines())
                .hasSize(2)
                .allMatch(line -> line.matches("--data-dir: the log is damaged: wrong checksum at revision [0-9]+"));
        CompletedProcess copied = backup(data, directory.resolve("copy"));
        assertThat(copied.exitStatus()).isEqualTo(1);
        assertThat(copied.err()).contains("wrong checksum");
    }

    @Test
    void onlineBackupContainsAcknowledgedWrites() throws Exception {
        Path data = directory.resolve("data");
        Path copy = directory.resolve("copy");
        var acknowledged = new AtomicInteger();
        var stop = new AtomicBoolean();
        int before;
        try (RunningServer server = start(data);
                HttpsClient client = HttpsClient.of(pki, "admin");
                ExecutorService writer = Executors.newSingleThreadExecutor()) {
            Future<?> writing = writer.submit(() -> {
                while (!stop.get()) {
                    create(client, server, "c" + acknowledged.get());
                    acknowledged.incrementAndGet();
                }
                return null;
            });
            try {
                await().until(() -> acknowledged.get() > 100);
                before = acknowledged.get();
                CompletedProcess created = backup(data, copy);
                assertThat(created.err()).isEmpty();
                assertThat(created.exitStatus()).isZero();
                assertThat(created.out()).contains("objects: ").endsWith("no damage\n");
            } finally {
                // Otherwise the writer would continue forever.
                stop.set(true);
            }
            writing.get();
        }
        assertThat(check(copy).exitStatus()).isZero();
        try (RunningServer server = start(copy);
                HttpsClient client = HttpsClient.of(pki, "admin")) {
            String names = names(client, server);
            for (int i = 0; i < before; i++) {
                assertThat(names).contains("\"name\":\"c" + i + "\"");
            }
            create(client, server, "made-in-the-copy");
        }
    }

    @Test
    void backupReplacesOnlyWithForceAndNeverARunningStore() throws IOException {
        Path data = killedStore(3);
        Path copy = directory.resolve("copy");
        assertThat(backup(data, copy).exitStatus()).isZero();
        byte[] original = Files.readAllBytes(copy.resolve("objects.db"));
        CompletedProcess rejected = backup(data, copy);
        assertThat(rejected.exitStatus()).isEqualTo(1);
        assertThat(rejected.err())
                .isEqualTo("backup: \"" + copy + "\" already contains a store; use --force to replace it\n");
        assertThat(Files.readAllBytes(copy.resolve("objects.db"))).isEqualTo(original);
        assertThat(backup(data, copy, "--force").exitStatus()).isZero();
        try (RunningServer server = start(copy)) {
            assertThat(backup(data, copy, "--force").err()).contains("is in use by another process");
            assertThat(server.port()).isPositive();
        }
        assertThat(backup(data, data, "--force").err()).contains("expected another directory");
    }

    private static void bind(HttpsClient client, RunningServer server, String method, String name, String user)
            throws IOException {
        String path = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
        var answer = client.send(
                method,
                server.at(method.equals("POST") ? path : path + "/" + name),
                "{\"metadata\":{\"name\":\"" + name + "\"},\"subjects\":[{\"kind\":\"User\",\"apiGroup\":"
                        + "\"rbac.authorization.k8s.io\",\"name\":\"" + user + "\"}],\"roleRef\":{\"apiGroup\":"
                        + "\"rbac.authorization.k8s.io\",\"kind\":\"ClusterRole\",\"name\":\"view\"}}");
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
    }

    @Test
    void restoredBindingsAreListed() throws IOException {
        Path data = directory.resolve("data");
        Path file = directory.resolve("backup");
        try (RunningServer server = start(data);
                HttpsClient client = HttpsClient.of(pki, "admin")) {
            for (String name : List.of("kept", "revoked", "reduced")) {
                bind(client, server, "POST", name, "mallory");
            }
            CompletedProcess created =
                    ConfiguredStore.run("backup", List.of("--data-dir=" + data, "--to-file=" + file));
            assertThat(created.exitStatus()).as(created.err()).isZero();
            var deleted = client.send(
                    "DELETE", server.at("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/revoked"), null);
            assertThat(deleted.statusCode()).isEqualTo(200);
            bind(client, server, "PUT", "reduced", "alice");
            bind(client, server, "POST", "later", "bob");
            server.terminate();
        }
        List<String> flags = List.of("--data-dir=" + data, "--from-file=" + file, "--force");
        assertThat(ConfiguredStore.run("restore", flags).out()).endsWith("""
                verified by reading it back
                role bindings that the replaced store did not have: 2
                  ClusterRoleBinding reduced, with other subjects or another role
                  ClusterRoleBinding revoked
                """);
        assertThat(ConfiguredStore.run("restore", flags).out())
                .as("nothing is restored")
                .endsWith("verified by reading it back\n");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            check                                    | 2 | --data-dir: required, expected a directory
            check --data-dir=                        | 2 | --data-dir: invalid value "", expected a directory
            check --data-dir=/no/such                | 1 | --data-dir: "/no/such" contains no "objects.db"
            check --data-dir=/no/such extra          | 2 | "extra": unexpected argument, expected flags only
            backup --data-dir=/no/such               | 2 | --to: required, expected a directory
            backup --data-dir=/no/such --to=/no/copy | 1 | backup: "/no/such" contains no "objects.db"
            chek                                     | 2 | "chek": unexpected argument, did you mean the command check?
            migrat --to-data-dir=x                   | 2 | "migrat": unexpected argument, did you mean the command migrate?
            serve                                    | 2 | "serve": unexpected argument, expected flags only
            """)
    void problemsAreReported(String arguments, int status, String message) {
        CompletedProcess rejected =
                Command.reused(Program.APISERVER_LITE, arguments.split(" +")).run();
        assertThat(rejected.err()).contains(message);
        assertThat(rejected.exitStatus()).isEqualTo(status);
        assertThat(rejected.out()).isEmpty();
    }

    @Test
    void helpNamesTheCommands() {
        CompletedProcess help = Command.reused(Program.APISERVER_LITE, "--help").run();
        assertThat(help.out())
                .contains(
                        "apiserver-lite COMMAND [flags]",
                        "\n  check\n",
                        "\n  backup\n",
                        "\n  restore\n",
                        "\n  migrate\n");
        for (String command : Arrays.asList("check", "backup")) {
            CompletedProcess own =
                    Command.reused(Program.APISERVER_LITE, command, "--help").run();
            assertThat(own.exitStatus()).isZero();
            assertThat(own.out()).startsWith("Usage: apiserver-lite " + command + " [flags]\n");
        }
    }
}
