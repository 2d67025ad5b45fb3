package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.plat.client.Access;
import io.plat.client.AccessClient;
import io.plat.client.Answer;
import io.plat.client.UndecidedException;
import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Directories;
import io.plat.tests.process.ForeignServer;
import io.plat.tests.process.InterruptibleProxy;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The Java client library with real deciders. */
class JavaClientTest {
    private static final Access ALICE = Access.path("get", "/reports").by("alice");
    private static final Access BOB = Access.path("get", "/reports").by("bob");

    /** Limit of a revocation on a busy machine; the printed figure is the actual duration. */
    private static final Duration BOUND = Duration.ofSeconds(3);

    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"%s\",\"nonResourcePath\":\"*\"}}\n";
    private static final String WITHOUT = LINE.formatted("carol");
    private static final String WITH = WITHOUT + LINE.formatted("alice");

    private static TestPki pki;
    private static Path directory;

    @BeforeAll
    static void makePki() throws IOException {
        pki = TestPki.create().client("program").client("other");
        directory = Files.createTempDirectory("plat-java-client");
    }

    @AfterAll
    static void removeFiles() {
        Directories.delete(directory);
        pki.close();
    }

    private static Path policy(String text) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "policy", ".jsonl"), text);
    }

    private static List<String> flags(int port, Path policy, String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(
                List.of("--secure-port=" + port, "--authorization-mode=ABAC", "--authorization-policy-file=" + policy));
        flags.addAll(List.of(more));
        return flags;
    }

    private static RunningServer decider(Path policy, String... more) {
        return RunningServer.startReused(Program.DECIDER, flags(0, policy, more));
    }

    /** Starts a decider that can be killed. */
    private static RunningServer process(int port, Path policy) {
        return RunningServer.start(Program.DECIDER, flags(port, policy));
    }

    private static AccessClient.Builder client(int... ports) {
        AccessClient.Builder client =
                AccessClient.builder().certificates(path("ca.crt"), path("program.crt"), path("program.key"));
        for (int port : ports) {
            client.decider(URI.create("https://localhost:" + port));
        }
        return client;
    }

    private static Path path(String name) {
        return Path.of(pki.file(name));
    }

    private static boolean isAllowed(AccessClient client, Access access) {
        try {
            return client.check(access).allowed();
        } catch (UndecidedException e) {
            return false;
        }
    }

    private static boolean isUndecided(AccessClient client, Access access) {
        try {
            client.check(access);
            return false;
        } catch (UndecidedException e) {
            return true;
        }
    }

    @Test
    void answersHaveReasonAndRevision() throws IOException {
        try (RunningServer decider = decider(policy(WITH));
                AccessClient client = client(decider.port()).build()) {
            Answer allowed = client.check(ALICE);
            assertThat(allowed.allowed()).isTrue();
            assertThat(allowed.reason()).contains("policy", ".jsonl:2");
            assertThat(allowed.revision()).isNotEmpty();
            CompletionStage<Answer> denied = client.checkAsync(BOB);
            assertThat(denied.toCompletableFuture().join().allowed()).isFalse();
        }
    }

    @Test
    void failedDecisionIsUndecided() throws IOException {
        int unusedPort = ForeignServer.freePort();
        Path config = ClientFiles.write(pki, "nobody.conf", URI.create("https://localhost:" + unusedPort), "program");
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--authorization-mode=Webhook",
                "--authorization-webhook-config-file=" + config,
                "--authorization-webhook-timeout=300ms"));
        try (RunningServer decider = RunningServer.startReused(Program.DECIDER, flags);
                AccessClient client = client(decider.port()).build()) {
            assertThatThrownBy(() -> client.check(ALICE))
                    .isInstanceOf(UndecidedException.class)
                    .hasMessageContaining("HTTP 500");
        }
    }

    @Test
    void stoppedDeciderTimesOutAndRecovers() throws IOException {
        Path policy = policy(WITH);
        RunningServer decider = process(0, policy);
        int port = decider.port();
        try (AccessClient client = client(port)
                .deadline(Duration.ofSeconds(2))
                .cacheFor(Duration.ZERO, Duration.ZERO)
                .build()) {
            assertThat(client.check(ALICE).allowed()).isTrue();
            decider.kill();
            for (int i = 0; i < 50; i++) {
                long begin = System.nanoTime();
                assertThat(isUndecided(client, ALICE)).isTrue();
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
            }
            decider = process(port, policy);
            await().until(() -> isAllowed(client, ALICE));
        } finally {
            decider.close();
        }
    }

    @Test
    void failoverToAnotherDecider() throws IOException {
        Path policy = policy(WITH);
        try (RunningServer one = process(0, policy);
                RunningServer other = decider(policy);
                AccessClient client = client(one.port(), other.port())
                        .cacheFor(Duration.ZERO, Duration.ZERO)
                        .build()) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.check(ALICE).allowed()).isTrue();
            }
            one.kill();
            for (int i = 0; i < 50; i++) {
                assertThat(client.check(ALICE).allowed()).as("check %d", i).isTrue();
            }
        }
    }

    @Test
    void revocationEvictsACachedAllow() throws IOException {
        Path policy = policy(WITH);
        try (RunningServer decider = decider(policy);
                AccessClient client = client(decider.port()).build()) {
            await().until(client::isFollowing);
            assertThat(client.check(ALICE).allowed()).isTrue();
            long changed = AtomicFile.put(policy, WITHOUT);
            while (client.check(ALICE).allowed()) {
                assertThat(Duration.ofNanos(System.nanoTime() - changed)).isLessThan(BOUND);
                Thread.onSpinWait();
            }
            System.out.printf("revocation in effect after %.1f ms%n", (System.nanoTime() - changed) / 1e6);
        }
    }

    @Test
    void disconnectionEvictsCachedAllows() throws IOException {
        try (InterruptibleProxy line = InterruptibleProxy.create();
                RunningServer decider = decider(policy(WITH));
                AccessClient client = client(line.port()).build()) {
            line.connect(decider.port());
            await().until(client::isFollowing);
            assertThat(client.check(ALICE).allowed()).isTrue();
            assertThat(client.check(BOB).allowed()).isFalse();
            line.cut();
            long disconnected = System.nanoTime();
            await().until(() -> isUndecided(client, ALICE));
            Duration after = Duration.ofNanos(System.nanoTime() - disconnected);
            assertThat(after).isBetween(Duration.ofMillis(900), Duration.ofSeconds(6));
            assertThat(client.check(BOB).allowed())
                    .as("a denial remains cached")
                    .isFalse();
            line.connect(decider.port());
            await().until(() -> isAllowed(client, ALICE));
        }
    }

    @Test
    void rotatedCertificatesAreUsed() throws IOException {
        Path certificate = directory.resolve("own.crt");
        Path key = directory.resolve("own.key");
        Files.copy(path("program.crt"), certificate);
        Files.copy(path("program.key"), key);
        try (RunningServer decider = decider(policy(WITH), "--allowed-client-names=program");
                AccessClient client = AccessClient.builder()
                        .decider(decider.address())
                        .certificates(path("ca.crt"), certificate, key)
                        .cacheFor(Duration.ZERO, Duration.ZERO)
                        .build()) {
            assertThat(client.check(ALICE).allowed()).isTrue();
            replace("other", certificate, key);
            await().until(() -> isUndecided(client, ALICE));
            assertThatThrownBy(() -> client.check(ALICE)).hasMessageContaining("HTTP 403");
            replace("program", certificate, key);
            await().until(() -> isAllowed(client, ALICE));
        }
    }

    private static void replace(String name, Path certificate, Path key) throws IOException {
        for (Path file : List.of(certificate, key)) {
            String kind = file == key ? ".key" : ".crt";
            Path copy =
                    Files.copy(path(name + kind), directory.resolve("new" + kind), StandardCopyOption.REPLACE_EXISTING);
            Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
