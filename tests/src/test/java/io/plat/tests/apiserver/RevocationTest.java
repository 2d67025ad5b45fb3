package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.OpenStream;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Revocation of cached permissions: a decider with a policy file, a chained decider, and a server for each of them, whose caches have a TTL
 * of five minutes.
 */
class RevocationTest {
    private static final int CLIENTS = 4;

    /** Enough cached answers that both sides are compiled. */
    private static final int HOT = 200;

    private static final int ROUNDS = Boolean.getBoolean("plat.full") ? 20 : 3;

    /** Time from a response to the client's next request, if the machine is idle. */
    private static final Duration PAUSE = Duration.ofMillis(1);

    /** Limit of a revocation on a busy machine; the printed figures show actual durations. */
    private static final Duration BOUND = Duration.ofSeconds(3);

    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"%s\",\"namespace\":\"*\",\"resource\":\"*\",\"apiGroup\":\"*\",\"nonResourcePath\":\"*\"}}\n";
    private static final String WITHOUT = LINE.formatted("carol");
    private static final String WITH = WITHOUT + LINE.formatted("alice");

    private static TestPki pki;
    private static Path directory;
    private static Path policy;
    private static RunningServer decider;
    private static RunningServer chained;
    private static RunningServer server;
    private static RunningServer serverBehind;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("delegating").client("alice").client("carol");
        directory = Files.createTempDirectory("plat-revocation");
        policy = Files.writeString(directory.resolve("policy.jsonl"), WITH);
        decider = startDecider(0);
        chained = startServer(Program.DECIDER, "decider.conf", decider);
        server = startServer(Program.APISERVER_LITE, "server.conf", decider);
        serverBehind = startServer(Program.APISERVER_LITE, "behind.conf", chained);
    }

    @AfterAll
    static void stop() {
        for (RunningServer each : List.of(serverBehind, server, chained, decider)) {
            each.close();
        }
        Directories.delete(directory);
        pki.close();
    }

    private static RunningServer startDecider(int port) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(
                List.of("--secure-port=" + port, "--authorization-mode=ABAC", "--authorization-policy-file=" + policy));
        return RunningServer.start(Program.DECIDER, flags);
    }

    private static RunningServer startServer(Program program, String file, RunningServer upstream) {
        ClientFiles.write(pki, file, upstream.at("/authorize"), "delegating");
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--authorization-mode=Webhook",
                "--authorization-webhook-config-file=" + pki.file(file)));
        if (program == Program.APISERVER_LITE) {
            flags.addAll(List.of(
                    "--data-dir=" + directory.resolve(file + ".data"),
                    "--runtime-config=authorization.plat.io/v1beta1=true"));
        }
        return RunningServer.startReused(program, flags);
    }

    /** Replaces the policy and returns the time. */
    private static long change(String text) throws IOException {
        return AtomicFile.put(policy, text);
    }

    private static int code(HttpsClient client, RunningServer requested) {
        try {
            return client.get(requested.at("/version")).statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double metric(RunningServer of, String line) {
        try (HttpsClient carol = HttpsClient.of(pki, "carol")) {
            return Metrics.of(carol, of.at("/metrics")).value(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitFollowing(RunningServer of, boolean following) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> metric(of, "authorization_webhook_revision_stream_connected") == (following ? 1 : 0));
    }

    @Test
    void revocationEvictsCachedAllows() throws Exception {
        awaitFollowing(server, true);
        print("a server and a decider", revocations(server, PAUSE));
        assertThat(metric(server, "authorization_webhook_cache_dropped_total{cause=\"revision\"}"))
                .isPositive();
    }

    @Test
    void loadOnlyDelaysARevocation() throws Exception {
        awaitFollowing(server, true);
        print("a server and a decider, with all cores busy", revocations(server, Duration.ZERO));
    }

    @Test
    void chainedDecidersForwardRevisions() throws Exception {
        awaitFollowing(serverBehind, true);
        awaitFollowing(chained, true);
        print("a server and two chained deciders", revocations(serverBehind, PAUSE));
    }

    @Test
    void streamsEndAfterAChangeAtTheDeciderOrItsUpstream() throws IOException {
        change(WITH);
        try (HttpsClient alice = HttpsClient.of(pki, "alice");
                HttpsClient carol = HttpsClient.of(pki, "carol")) {
            List<OpenStream> streams = new ArrayList<>();
            List<OpenStream> others = new ArrayList<>();
            for (RunningServer each : List.of(server, serverBehind)) {
                awaitFollowing(each, true);
                await().until(() -> code(alice, each) == 200);
                others.add(OpenStream.response(carol.http(), each.at("/api/v1/secrets?watch=1"), Map.of()));
                streams.add(OpenStream.response(alice.http(), each.at("/api/v1/secrets?watch=1"), Map.of()));
                streams.add(OpenStream.socket(alice.http(), each.at("/api/v1/secrets?watch=1"), Map.of()));
                streams.add(OpenStream.response(alice.http(), each.at("/decisions"), Map.of()));
            }
            long begin = change(WITHOUT);
            List<Long> millis = streams.stream()
                    .map(stream -> stream.endedMillisAfter(begin))
                    .toList();
            System.out.println("streams ended after " + millis + " ms, of a server and of one behind two deciders");
            assertThat(millis).allMatch(took -> took < BOUND.toMillis());
            assertThat(others).noneMatch(stream -> stream.ended().isDone());
            alice.http().shutdownNow();
            carol.http().shutdownNow();
        }
    }

    @Test
    void withoutTheStreamAnswersKeepTheirTtl() throws Exception {
        try (HttpsClient alice = HttpsClient.of(pki, "alice")) {
            change(WITH);
            awaitFollowing(server, true);
            await().until(() -> code(alice, server) == 200);
            int port = decider.port();
            decider.kill();
            awaitFollowing(server, false);
            assertThat(code(alice, server)).as("cached decision").isEqualTo(200);
            Files.writeString(policy, WITHOUT);
            decider = startDecider(port);
            awaitFollowing(server, true);
            await().atMost(BOUND).until(() -> code(alice, server) == 403);
        }
    }

    /** Long enough that an unbounded backoff would exceed {@link #AFTER_OUTAGE}. */
    private static final Duration OUTAGE = Duration.ofSeconds(Boolean.getBoolean("plat.full") ? 100 : 4);

    /** One second, and a margin for busy machines. */
    private static final Duration AFTER_OUTAGE = Duration.ofMillis(1500);

    @Test
    void staleAllowsEndWhenTheDeciderReturns() throws Exception {
        try (HttpsClient alice = HttpsClient.of(pki, "alice")) {
            change(WITH);
            awaitFollowing(server, true);
            await().until(() -> code(alice, server) == 200);
            int port = decider.port();
            decider.kill();
            await().pollDelay(OUTAGE).until(() -> true);
            assertThat(code(alice, server)).as("cached decision").isEqualTo(200);
            Files.writeString(policy, WITHOUT);
            decider = startDecider(port);
            long back = System.nanoTime();
            await().atMost(Duration.ofSeconds(20)).until(() -> code(alice, server) == 403);
            Duration stale = Duration.ofNanos(System.nanoTime() - back);
            System.out.printf(
                    "after an outage of %d s the last stale allow was %d ms after the recovery%n",
                    OUTAGE.toSeconds(), stale.toMillis());
            assertThat(stale).isLessThan(AFTER_OUTAGE);
        }
    }

    private static void print(String what, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf(
                "from the change of the file to the last stale allow, %s: %.1f ms at best, %.1f ms in the middle, %.1f"
                        + " ms at worst%n",
                what, nanos[0] / 1e6, nanos[nanos.length / 2] / 1e6, nanos[nanos.length - 1] / 1e6);
        assertThat(nanos[nanos.length - 1]).isLessThan(BOUND.toNanos());
    }

    private static long[] revocations(RunningServer of, Duration pause) throws Exception {
        long[] nanos = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            nanos[round] = revocation(of, pause);
        }
        return nanos;
    }

    private static long revocation(RunningServer of, Duration pause) throws Exception {
        AtomicLong lastAllowed = new AtomicLong();
        AtomicLong allowed = new AtomicLong();
        AtomicLong denied = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> clients = new ArrayList<>();
        change(WITH);
        try (HttpsClient alice = HttpsClient.of(pki, "alice")) {
            await().atMost(Duration.ofSeconds(20)).until(() -> code(alice, of) == 200);
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Thread.ofVirtual().start(() -> {
                    while (!over.get()) {
                        int code = code(alice, of);
                        if (code == 200) {
                            lastAllowed.accumulateAndGet(System.nanoTime(), Math::max);
                            allowed.incrementAndGet();
                        } else {
                            denied.incrementAndGet();
                        }
                        LockSupport.parkNanos(pause.toNanos());
                    }
                }));
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> allowed.get() > HOT);
            long before = change(WITHOUT);
            await().atMost(Duration.ofSeconds(20)).until(() -> denied.get() > 40);
            over.set(true);
            for (Thread client : clients) {
                client.join();
            }
            assertThat(code(alice, of)).isEqualTo(403);
            return Math.max(0, lastAllowed.get() - before);
        }
    }
}
