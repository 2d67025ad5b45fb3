package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that open more connections than a server has file descriptors, and concurrent revocations. */
class ExhaustedDescriptorsTest {
    private static final int DESCRIPTORS = 400;
    private static final Duration BOUND = Duration.ofSeconds(1);
    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"%s\","
                    + "\"namespace\":\"*\",\"resource\":\"*\",\"apiGroup\":\"*\",\"nonResourcePath\":\"*\"}}\n";
    private static final String REVIEW = """
            {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"alice",
             "nonResourceAttributes":{"verb":"get","path":"/version"}}}""";

    @ParameterizedTest
    @EnumSource(names = {"DECIDER", "APISERVER_LITE"})
    void revocationAndShutdownWorkWithoutDescriptors(Program program) throws Exception {
        Path directory = Files.createTempDirectory("plat-descriptors");
        List<SocketChannel> connections = new ArrayList<>();
        Path policy =
                Files.writeString(directory.resolve("policy.jsonl"), LINE.formatted("alice") + LINE.formatted("carol"));
        try (TestPki pki = TestPki.create().client("alice").client("carol");
                RunningServer server = start(program, pki, directory, policy);
                HttpsClient alice = HttpsClient.of(pki, "alice");
                HttpsClient carol = HttpsClient.of(pki, "carol")) {
            assertThat(allows(program, alice, server)).isTrue();
            assertThat(written(program, carol, server, "before")).isTrue();
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
            for (int i = 0; i < DESCRIPTORS; i++) {
                connections.add(SocketChannel.open(address));
            }
            AtomicFile.put(policy, LINE.formatted("carol"));
            await().atMost(BOUND).until(() -> !allows(program, alice, server));
            assertThat(written(program, carol, server, "after")).isTrue();
            assertThat(server.terminate()).isZero();
        } finally {
            for (SocketChannel connection : connections) {
                connection.close();
            }
            Directories.delete(directory);
        }
    }

    private static RunningServer start(Program program, TestPki pki, Path directory, Path policy) throws IOException {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--authorization-mode=ABAC",
                "--policy-reload=watch",
                "--authorization-policy-file=" + policy));
        if (program == Program.APISERVER_LITE) {
            flags.add("--data-dir=" + directory.resolve("data"));
        }
        return RunningServer.start(program.launcherAfter(directory, "ulimit -n " + DESCRIPTORS), flags);
    }

    private static boolean allows(Program program, HttpsClient alice, RunningServer server) throws IOException {
        return program == Program.DECIDER
                ? alice.post(server.at("/authorize"), REVIEW).body().contains("\"allowed\":true")
                : alice.get(server.at("/version")).statusCode() == 200;
    }

    private static boolean written(Program program, HttpsClient carol, RunningServer server, String name)
            throws IOException {
        String body = "{\"metadata\":{\"name\":\"" + name + "\"}}";
        return program == Program.DECIDER
                || carol.post(server.at("/api/v1/namespaces/default/configmaps"), body)
                                .statusCode()
                        == 201;
    }
}
