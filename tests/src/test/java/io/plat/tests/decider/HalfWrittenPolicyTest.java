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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A partially written policy has no effect; one that is renamed into place has one at once. */
class HalfWrittenPolicyTest {
    private static final Duration QUIET = Duration.ofSeconds(2);
    /** Time that a file stays half written. */
    private static final Duration HALF = Duration.ofMillis(900);

    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"alice\",\"namespace\":\"*\",\"resource\":\"%s\",\"apiGroup\":\"*\",\"nonResourcePath\":\"%s\"}}\n";
    /** Grants one secret; its first half grants all of them. */
    private static final String ROLE = """
        apiVersion: v1
        kind: List
        items:
        - apiVersion: rbac.authorization.k8s.io/v1
          kind: ClusterRoleBinding
          metadata: {name: alice}
          subjects: [{kind: User, name: alice}]
          roleRef: {kind: ClusterRole, name: reader, apiGroup: rbac.authorization.k8s.io}
        - apiVersion: rbac.authorization.k8s.io/v1
          kind: ClusterRole
          metadata: {name: reader}
          rules:
          - nonResourceURLs: ["%s"]
            verbs: [get]
          - apiGroups: [""]
            verbs: [get]
            resources: [secrets]
        """;

    private static final String REST = "    resourceNames: [public]\n";

    private final Path directory;

    HalfWrittenPolicyTest() throws IOException {
        directory = Files.createTempDirectory("plat-half");
    }

    /** Complete versions with different paths, and the first half of one. */
    private record Policy(String file, String whole, String half, String rest) {
        static Policy of(Program program, String path) {
            return program == Program.DECIDER
                    ? new Policy("roles.yaml", ROLE.formatted(path) + REST, ROLE.formatted(path), REST)
                    : new Policy("policy.jsonl", LINE.formatted("pods", path), LINE.formatted("*", path), "");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DECIDER", "APISERVER_LITE"})
    void partialPolicyNeverDecides(Program program) throws Exception {
        Policy first = Policy.of(program, "/version");
        Policy second = Policy.of(program, "/healthz/other");
        Path policies = Files.createDirectories(directory.resolve("policies"));
        Path file = Files.writeString(policies.resolve(first.file()), first.whole());
        try (TestPki pki = TestPki.create().client("alice");
                RunningServer server = start(program, pki, file, QUIET);
                HttpsClient alice = HttpsClient.of(pki, "alice")) {
            for (int round = 0; round < 3; round++) {
                Policy next = round % 2 == 0 ? second : first;
                long half = System.nanoTime();
                Files.writeString(file, next.half());
                neverWhileHalfWritten(half, () -> readsSecret(program, alice, server) && isWithin(QUIET, half));
                if (program == Program.DECIDER) {
                    Files.writeString(file, next.rest(), StandardOpenOption.APPEND);
                } else {
                    Files.writeString(file, next.whole());
                }
                long complete = System.nanoTime();
                // On a busy machine the writer may pause for too long.
                boolean inTime = isWithin(QUIET, half);
                boolean version = next.equals(first);
                await().atMost(Duration.ofSeconds(20)).until(() -> {
                    boolean partial = readsSecret(program, alice, server);
                    assertThat(inTime && partial).isFalse();
                    return !partial && readsPath(program, alice, server) == version;
                });
                assertThat(inTime && isWithin(QUIET.minusMillis(200), complete)).isFalse();
            }
        } finally {
            Directories.delete(directory);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DECIDER", "APISERVER_LITE"})
    void renamedFileTakesEffectAtOnce(Program program) throws Exception {
        Policy first = Policy.of(program, "/version");
        Policy second = Policy.of(program, "/healthz/other");
        Path mounted = Files.createDirectories(directory.resolve("mounted"));
        generation(mounted, "..1", first);
        Path file = Files.createSymbolicLink(mounted.resolve(first.file()), Path.of("..data", first.file()));
        // Longer than the test: only changes that skip it take effect.
        try (TestPki pki = TestPki.create().client("alice");
                RunningServer server = start(program, pki, file, Duration.ofHours(1));
                HttpsClient alice = HttpsClient.of(pki, "alice")) {
            assertThat(readsPath(program, alice, server)).isTrue();
            generation(mounted, "..2", second);
            await().atMost(Duration.ofSeconds(20)).until(() -> !readsPath(program, alice, server));
            AtomicFile.put(file, first.whole().stripTrailing());
            await().atMost(Duration.ofSeconds(20)).until(() -> readsPath(program, alice, server));
        } finally {
            Directories.delete(directory);
        }
    }

    /** A truncated group name is another group. */
    @Test
    void partialTokenFileChangesNoGroups() throws Exception {
        Path tokens = Files.writeString(directory.resolve("tokens.csv"), "s3cret,carol,7,dev\n");
        List<String> flags = List.of(
                "--token-auth-file=" + tokens,
                "--authorization-mode=AlwaysAllow",
                "--policy-reload-quiet=2s",
                "--secure-port=0",
                "--data-dir=" + directory.resolve("data"));
        try (TestPki pki = TestPki.create();
                RunningServer server = RunningServer.startReused(
                        Program.APISERVER_LITE,
                        Stream.concat(pki.serverFlags().stream(), flags.stream())
                                .toList());
                HttpsClient anyone = HttpsClient.of(pki, null)) {
            HttpsClient carol = anyone.withHeader("Authorization", "Bearer s3cret");
            long half = System.nanoTime();
            Files.writeString(tokens, "s3cret,carol,7,system:masters");
            neverWhileHalfWritten(
                    half, () -> groups(carol, server).contains("system:masters") && isWithin(QUIET, half));
            Files.writeString(tokens, "-viewers\n", StandardOpenOption.APPEND);
            boolean inTime = isWithin(QUIET, half);
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                String groups = groups(carol, server);
                assertThat(inTime && groups.contains("\"system:masters\"")).isFalse();
                return groups.contains("\"system:masters-viewers\"");
            });
        } finally {
            Directories.delete(directory);
        }
    }

    private static String groups(HttpsClient client, RunningServer server) throws IOException {
        return client.post(server.at("/apis/authentication.k8s.io/v1/selfsubjectreviews"), "{}")
                .body();
    }

    /** Requires that a condition is false, fifty times a second, until it is time to complete the file. */
    private static void neverWhileHalfWritten(long half, Callable<Boolean> condition) {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(20)).until(() -> {
            boolean last = !isWithin(HALF, half);
            assertThat(condition.call()).isFalse();
            return last;
        });
    }

    private static boolean isWithin(Duration time, long begin) {
        return System.nanoTime() - begin < time.toNanos();
    }

    /** Swaps a directory's content like a kubelet. */
    private static void generation(Path mounted, String name, Policy policy) throws IOException {
        Path generation = Files.createDirectory(mounted.resolve(name));
        Files.writeString(generation.resolve(policy.file()), policy.whole());
        Path link = Files.createSymbolicLink(mounted.resolve("..data_tmp"), Path.of(name));
        Files.move(link, mounted.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    }

    private RunningServer start(Program program, TestPki pki, Path file, Duration quiet) throws IOException {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0", "--policy-reload=watch", "--policy-reload-quiet=" + quiet.toSeconds() + "s"));
        if (program == Program.DECIDER) {
            flags.addAll(List.of("--authorization-mode=RBAC", "--authorization-rbac-path=" + file));
        } else {
            flags.addAll(List.of(
                    "--authorization-mode=ABAC",
                    "--authorization-policy-file=" + file,
                    "--data-dir=" + directory.resolve("data")));
        }
        return RunningServer.startReused(program, flags);
    }

    private static boolean readsSecret(Program program, HttpsClient alice, RunningServer server) throws IOException {
        return allows(
                program,
                alice,
                server,
                "\"resourceAttributes\":{\"namespace\":\"a\",\"verb\":\"get\",\"resource\":\"secrets\",\"version\":\"v1\",\"name\":\"s\"}",
                "/api/v1/namespaces/a/secrets/s");
    }

    private static boolean readsPath(Program program, HttpsClient alice, RunningServer server) throws IOException {
        return allows(
                program,
                alice,
                server,
                "\"nonResourceAttributes\":{\"verb\":\"get\",\"path\":\"/version\"}",
                "/version");
    }

    private static boolean allows(
            Program program, HttpsClient alice, RunningServer server, String attributes, String path)
            throws IOException {
        if (program == Program.DECIDER) {
            String review =
                    "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\"alice\","
                            + attributes + "}}";
            return alice.post(server.at("/authorize"), review).body().contains("\"allowed\":true");
        }
        return alice.get(server.at(path)).statusCode() != 403;
    }
}
