package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Directories;
import io.plat.tests.process.EmbeddedOnly;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.Scripts;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A disk that is read-only from the start, that fails while a server runs, and corrupt files, with a real process. */
@EmbeddedOnly("simulates disk failures and corrupt files")
class FailingDiskTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    /** Several attempts to resume. */
    private static final Duration REFUSED = Duration.ofMillis(2500);

    private static TestPki pki;

    private Path directory;
    private Path data;

    @BeforeAll
    static void createPki() {
        pki = TestPki.create().client("admin", "system:masters");
    }

    @AfterAll
    static void deletePki() {
        pki.close();
    }

    @BeforeEach
    void createDirectory() throws IOException {
        directory = Files.createTempDirectory("plat-disk");
        data = directory.resolve("data");
    }

    @AfterEach
    void deleteDirectory() {
        Directories.delete(directory);
    }

    private List<String> flags() {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow", "--data-dir=" + data));
        return flags;
    }

    private static HttpResponse<String> create(HttpsClient client, RunningServer server, int number)
            throws IOException {
        return client.post(
                server.at(MAPS),
                "{\"metadata\":{\"name\":\"c" + number + "\"},\"data\":{\"filler\":\"" + "x".repeat(4000) + "\"}}");
    }

    private static int stored(HttpsClient client, RunningServer server) throws IOException {
        return client.get(server.at(MAPS)).body().split("\"name\":\"c[0-9]+\"", -1).length - 1;
    }

    @Test
    void readOnlyDirectoryIsRefusedInOneLine() throws IOException {
        assumeTrue(
                Command.of("unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt")
                                .run()
                                .exitStatus()
                        == 0,
                "mount namespaces are unavailable for this user");
        try (RunningServer server = RunningServer.start(Program.APISERVER_LITE, flags())) {
            server.terminate();
        }
        Path script =
                Scripts.write(directory.resolve("read-only"), """
                #!/bin/sh
                exec unshare --user --map-root-user --mount sh -c \
                  'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"' "%s" "%s" "$@"
                """.formatted(data, Program.APISERVER_LITE.launcher()));
        String refusal = "--data-dir: cannot write to the data directory \"" + data + "\": Read-only file system\n";
        for (String[] arguments : new String[][] {flags().toArray(String[]::new), {"check", "--data-dir=" + data}}) {
            CompletedProcess rejected =
                    Command.of(script.toString()).with(arguments).run();
            assertThat(rejected.err()).isEqualTo(refusal);
            assertThat(rejected.out()).isEmpty();
            assertThat(rejected.exitStatus()).isEqualTo(1);
        }
    }

    /**
     * The file size limit (8,000 times 512 bytes) makes writes fail like a broken device. The native library fits, and the write-ahead log
     * exceeds it before its checkpoint at 1,000 pages.
     */
    @Test
    void diskFailureIsReportedAndReadsContinue() throws IOException {
        int acknowledged = 0;
        try (RunningServer server = RunningServer.start(
                        Program.APISERVER_LITE.launcherAfter(directory, "ulimit -f 8000"), flags());
                HttpsClient client = HttpsClient.of(pki, "admin")) {
            HttpResponse<String> answer = create(client, server, 0);
            // The store reloads the file and resumes, as long as the database file itself is below the limit.
            long refusedSince = 0;
            while (refusedSince == 0 || System.nanoTime() - refusedSince < REFUSED.toNanos()) {
                if (answer.statusCode() == 201) {
                    acknowledged++;
                    refusedSince = 0;
                } else if (refusedSince == 0) {
                    refusedSince = System.nanoTime();
                }
                assertThat(acknowledged).isLessThan(2000);
                answer = create(client, server, acknowledged);
            }
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            assertThat(answer.body()).contains("\"kind\":\"Status\"", "\"reason\":\"ServiceUnavailable\"");
            assertThat(client.get(server.at("/readyz")).body()).contains("[-]storage failed");
            assertThat(client.get(server.at("/livez")).statusCode()).isEqualTo(200);
            assertThat(stored(client, server)).isEqualTo(acknowledged);
            assertThat(create(client, server, acknowledged + 1).statusCode()).isEqualTo(503);
            assertThat(server.err()).contains("storage refuses writes", "storage accepts writes again");
            assertThat(server.terminate()).isZero();
        }
        assertThat(acknowledged).isPositive();
        try (RunningServer server = RunningServer.start(Program.APISERVER_LITE, flags());
                HttpsClient client = HttpsClient.of(pki, "admin")) {
            assertThat(stored(client, server))
                    .as("a failed write may have been executed")
                    .isBetween(acknowledged, acknowledged + 1);
            assertThat(create(client, server, acknowledged + 2).statusCode()).isEqualTo(201);
        }
    }

    @Test
    void corruptFileIsRefusedInOneLine() throws IOException {
        try (RunningServer server = RunningServer.start(Program.APISERVER_LITE, flags());
                HttpsClient client = HttpsClient.of(pki, "admin")) {
            for (int i = 0; i < 5; i++) {
                assertThat(create(client, server, i).statusCode()).isEqualTo(201);
            }
            server.terminate();
        }
        Path file = data.resolve("objects.db");
        byte[] bytes = Files.readAllBytes(file);
        // Every occurrence, as pages contain stale copies of moved data.
        Matcher values = Pattern.compile("x{8,}").matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        while (values.find()) {
            bytes[values.start()] ^= 1;
        }
        Files.write(file, bytes);
        CompletedProcess rejected = Command.of(Program.APISERVER_LITE, flags().toArray(String[]::new))
                .run();
        assertThat(rejected.err()).matches("--data-dir: the log is damaged: wrong checksum at revision [0-9]+\n");
        assertThat(rejected.out()).isEmpty();
        assertThat(rejected.exitStatus()).isEqualTo(1);
    }
}
