package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.EmbeddedOnly;
import io.plat.tests.process.EtcdServer;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.RunningServer;
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
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An etcd with mutual TLS, used by a server and by each command. */
@Order(1)
@EmbeddedOnly("selects its own etcd")
class SecuredEtcdTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private static TestPki pki;
    private static HttpsClient client;
    private static EtcdServer etcd;

    private final Path directory;

    SecuredEtcdTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeAll
    static void start() {
        pki = TestPki.create()
                .client("admin", "system:masters")
                .client("etcd-client")
                .untrustedClient("stranger");
        client = HttpsClient.of(pki, "admin");
        etcd = EtcdServer.startSecured(pki, Path.of(pki.file("ca.crt")));
    }

    @AfterAll
    static void stop() {
        client.http().shutdownNow();
        client.close();
        pki.close();
        if (etcd != null) {
            etcd.close();
        }
    }

    /** Replaces a file by renaming, as in certificate rotation. */
    private void put(String from, String as) throws IOException {
        AtomicFile.put(directory.resolve(as), Files.readString(Path.of(pki.file(from))));
    }

    /** Returns the flags for an etcd with this client certificate. */
    private static List<String> flags(String start, EtcdServer etcd, String prefix, Path client) {
        return List.of(
                "--" + start + "etcd-servers=" + etcd.url(),
                "--" + start + "etcd-prefix=" + prefix,
                "--" + start + "etcd-cafile=" + pki.file("ca.crt"),
                "--" + start + "etcd-certfile=" + client + ".crt",
                "--" + start + "etcd-keyfile=" + client + ".key");
    }

    private static List<String> etcd(String start, String prefix) {
        return flags(start, etcd, prefix, pki.directory().resolve("etcd-client"));
    }

    private static RunningServer serve(List<String> storage) {
        return ConfiguredStore.serve(pki, storage);
    }

    private static String moved(CompletedProcess finished) {
        assertThat(finished.err()).isEmpty();
        assertThat(finished.exitStatus()).isZero();
        assertThat(finished.out()).contains("verified by reading it back\n");
        return finished.out().lines().toList().get(1);
    }

    private static int create(RunningServer server, String name) throws IOException {
        HttpResponse<String> answer = client.post(server.at(MAPS), ConfigMaps.body(name, "", "v"));
        return answer.statusCode();
    }

    private static int get(RunningServer server, String path) throws IOException {
        return client.get(server.at(path)).statusCode();
    }

    @Test
    void securedEtcdSupportsServeBackupMigrateAndRestore() throws IOException {
        List<String> file = List.of("--to-file=" + directory.resolve("backup"));
        List<String> data = List.of("--to-data-dir=" + directory.resolve("data"));
        try (RunningServer server = serve(etcd("", "/first"))) {
            assertThat(create(server, "x")).isEqualTo(201);
            moved(ConfiguredStore.run("backup", etcd("", "/first"), file));
        }
        String sum = moved(ConfiguredStore.run("migrate", etcd("from-", "/first"), data));
        assertThat(moved(ConfiguredStore.run(
                        "migrate", List.of("--from-data-dir=" + directory.resolve("data")), etcd("to-", "/second"))))
                .isEqualTo(sum);
        moved(ConfiguredStore.run(
                "restore", List.of("--from-file=" + directory.resolve("backup")), etcd("", "/third")));
        for (String prefix : List.of("/second", "/third")) {
            try (RunningServer server = serve(etcd("", prefix))) {
                assertThat(get(server, MAPS + "/x")).as(prefix).isEqualTo(200);
            }
        }
    }

    /** The alert depends on the version of etcd. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            no certificate         | --etcd-cafile=ca.crt                                                             | etcd: \\([a-z_]+\\) Received fatal alert: [a-z_]+
            a stranger's           | --etcd-cafile=ca.crt --etcd-certfile=stranger.crt --etcd-keyfile=stranger.key    | etcd: \\([a-z_]+\\) Received fatal alert: [a-z_]+
            another authority      | --etcd-cafile=other-ca.crt --etcd-certfile=etcd-client.crt --etcd-keyfile=etcd-client.key | etcd: \\(certificate_unknown\\) the certificate is signed by 'CN=test authority', which is not a trusted authority
            another's key          | --etcd-cafile=ca.crt --etcd-certfile=etcd-client.crt --etcd-keyfile=stranger.key | .*/stranger.key: the private key does not belong to the first certificate of .*/etcd-client.crt
            """)
    void rejectedClientIsReportedAndLeavesNoFile(String title, String flags, String message) {
        Path file = directory.resolve("backup");
        List<String> tls = new ArrayList<>();
        for (String flag : flags.split(" ", -1)) {
            tls.add(flag.replace("=", "=" + pki.directory() + "/"));
        }
        CompletedProcess rejected =
                ConfiguredStore.run("backup", List.of("--etcd-servers=" + etcd.url(), "--to-file=" + file), tls);
        assertThat(rejected.err()).matches("--etcd-servers: " + message + "\n");
        assertThat(rejected.exitStatus()).isEqualTo(1);
        assertThat(rejected.out()).isEmpty();
        assertThat(file).doesNotExist();
    }

    /** The members do not trust the old authority any more, and the server is not restarted. */
    @Test
    void rotatedClientCertificateIsUsed() throws IOException {
        put("ca.crt", "authorities");
        put("etcd-client.crt", "own.crt");
        put("etcd-client.key", "own.key");
        try (EtcdServer rotated = EtcdServer.startSecured(pki, directory.resolve("authorities"));
                RunningServer server = serve(flags("", rotated, "/registry", directory.resolve("own")))) {
            assertThat(create(server, "before")).isEqualTo(201);
            rotated.kill();
            put("other-ca.crt", "authorities");
            rotated.startAgain();
            await().atMost(SOON).until(() -> get(server, "/readyz") == 500);
            put("stranger.crt", "own.crt");
            put("stranger.key", "own.key");
            await().atMost(SOON).until(() -> get(server, "/readyz") == 200);
            assertThat(create(server, "after")).isEqualTo(201);
        }
    }

    /** A connection belongs to the user of the certificate that it was opened with, and etcd keeps it open. */
    @Test
    void replacedCertificateOfARefusedUserIsUsed() throws IOException {
        put("ca.crt", "authorities");
        put("etcd-client.crt", "own.crt");
        put("etcd-client.key", "own.key");
        try (EtcdServer users = EtcdServer.startSecured(pki, directory.resolve("authorities"));
                RunningServer server = serve(flags("", users, "/registry", directory.resolve("own")))) {
            EtcdUsers.enable(users, pki, "etcd-client");
            await().atMost(SOON).until(() -> create(server, "before") == 201);
            users.kill();
            put("admin.key", "own.key");
            put("admin.crt", "own.crt");
            await().atMost(SOON).until(() -> server.err().contains("files were reloaded: what=client-certificate"));
            users.startAgain();
            await().atMost(SOON)
                    .until(() -> client.post(server.at(MAPS), ConfigMaps.body("refused", "", "v"))
                            .body()
                            .contains("permission denied"));
            put("etcd-client.crt", "own.crt");
            put("etcd-client.key", "own.key");
            await().atMost(SOON).until(() -> create(server, "after") == 201);
        }
    }
}
