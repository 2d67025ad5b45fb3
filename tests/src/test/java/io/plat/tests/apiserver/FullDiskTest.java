package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Command;
import io.plat.tests.process.Directories;
import io.plat.tests.process.EmbeddedOnly;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.Scripts;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A server whose disk is full for a while: writes are refused with a Status that gives the reason, all acknowledged data remains readable,
 * readiness reports it, and writes resume without a restart once there is space. The disk is a small tmpfs in the server's mount namespace,
 * accessed through its root in /proc.
 */
@EmbeddedOnly("fills its disk")
class FullDiskTest {
    private static final int MEBIBYTES = 4;
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @Test
    void refusesWritesUntilSpaceIsAvailable() throws Exception {
        assumeTrue(
                Command.of("unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt")
                                .run()
                                .exitStatus()
                        == 0,
                "mount namespaces are unavailable for this user");
        Path directory = Files.createTempDirectory("plat-full");
        try (TestPki pki = TestPki.create().client("admin", "system:masters");
                RunningServer server = RunningServer.start(launcher(directory), flags(pki, directory));
                HttpsClient client = HttpsClient.of(pki, "admin")) {
            Path disk = Path.of("/proc/" + server.pid() + "/root")
                    .resolve(directory.resolve("disk").toString().substring(1));
            assertThat(create(client, server, "before").statusCode()).isEqualTo(201);
            assertThat(put(client, server, "/api/v1/namespaces", "{\"metadata\":{\"name\":\"doomed\"}}"))
                    .isEqualTo(201);
            assertThat(put(client, server, "/api/v1/namespaces/doomed/configmaps", held("inside", "")))
                    .isEqualTo(201);
            assertThat(put(client, server, MAPS, held("held", "\"plat.io/test\"")))
                    .isEqualTo(201);
            assertThat(ready(client, server)).isEqualTo(200);

            fill(disk.resolve("filler"));
            int acknowledged = 0;
            HttpResponse<String> rejected = create(client, server, "c0");
            while (rejected.statusCode() == 201) {
                acknowledged++;
                rejected = create(client, server, "c" + acknowledged);
            }
            assertThat(rejected.statusCode()).as(rejected.body()).isEqualTo(503);
            assertThat(rejected.headers().firstValue("Retry-After")).isPresent();
            assertThat(rejected.body())
                    .contains("\"kind\":\"Status\"", "\"reason\":\"ServiceUnavailable\"", "no space left");
            assertThat(client.get(server.at("/readyz")).body()).contains("[-]storage failed");
            assertThat(client.get(server.at("/livez")).statusCode()).isEqualTo(200);
            assertThat(stored(client, server)).isEqualTo(acknowledged);
            assertThat(server.err()).contains("storage refuses writes");
            deletesEverything(client, server, acknowledged);
            assertThat(create(client, server, "refused").statusCode())
                    .as("space is reserved for deletions")
                    .isEqualTo(503);
            assertThat(ready(client, server)).isEqualTo(500);

            Files.delete(disk.resolve("filler"));
            await("ready without a restart").until(() -> ready(client, server) == 200);
            assertThat(create(client, server, "after").statusCode()).isEqualTo(201);
            assertThat(stored(client, server)).isEqualTo(1);
            server.terminate();
        } finally {
            Directories.delete(directory);
        }
    }

    /** Objects, one of them with a finalizer, and a namespace with contents. */
    private static void deletesEverything(HttpsClient client, RunningServer server, int maps) throws IOException {
        for (int i = 0; i < maps; i++) {
            assertThat(client.send("DELETE", server.at(MAPS + "/c" + i), null).statusCode())
                    .isEqualTo(200);
        }
        URI held = server.at(MAPS + "/held");
        assertThat(client.send("DELETE", held, null).body()).contains("deletionTimestamp");
        assertThat(client.send("PATCH", held, "application/merge-patch+json", "{\"metadata\":{\"finalizers\":null}}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(client.get(held).statusCode()).isEqualTo(404);
        URI doomed = server.at("/api/v1/namespaces/doomed");
        assertThat(client.send("DELETE", doomed, null).statusCode()).isEqualTo(200);
        await("the namespace is deleted with its contents")
                .until(() -> client.get(doomed).statusCode() == 404);
    }

    private static String held(String name, String finalizer) {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"finalizers\":[" + finalizer + "]}}";
    }

    private static int put(HttpsClient client, RunningServer server, String path, String body) throws IOException {
        return client.post(server.at(path), body).statusCode();
    }

    private static List<String> flags(TestPki pki, Path directory) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0", "--authorization-mode=AlwaysAllow", "--data-dir=" + directory.resolve("disk/data")));
        return flags;
    }

    /** A launcher that mounts a disk for the server. */
    private static Path launcher(Path directory) throws IOException {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        return Scripts.write(
                directory.resolve("start"), """
                #!/bin/sh
                exec unshare --user --map-root-user --mount sh -c \
                  'mount -t tmpfs -o size=%dm none "%s" && exec "$0" "$@"' "%s" "$@"
                """.formatted(MEBIBYTES, disk, Program.APISERVER_LITE.launcher()));
    }

    /** Fills the disk. */
    private static void fill(Path filler) throws IOException {
        byte[] block = new byte[4096];
        try (var out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    private static HttpResponse<String> create(HttpsClient client, RunningServer server, String name)
            throws IOException {
        return client.post(
                server.at("/api/v1/namespaces/default/configmaps"),
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                        + "\"},\"data\":{\"filler\":\"" + "x".repeat(2000) + "\"}}");
    }

    /** The config maps of this test except for the first one; the server may have created others. */
    private static int stored(HttpsClient client, RunningServer server) throws IOException {
        String list =
                client.get(server.at("/api/v1/namespaces/default/configmaps")).body();
        assertThat(list).contains("\"name\":\"before\"");
        return list.split("\"name\":\"(c[0-9]+|after)\"", -1).length - 1;
    }

    private static int ready(HttpsClient client, RunningServer server) throws IOException {
        return client.get(server.at("/readyz")).statusCode();
    }
}
