package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** A server with two deciders behind one name, which are killed, restarted and updated during requests. */
@Order(1)
class SeveralDecidersTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final int CLIENTS = 4;
    private static final int ANSWERS = FULL ? 20_000 : 200;
    private static final int RESTARTS = FULL ? 5 : 1;

    /** Pause between two requests of a client, so that starting servers get CPU time; none once everything is loaded. */
    private static final int PAUSE_MILLIS = FULL ? 0 : 5;

    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"%s\","
                    + "\"namespace\":\"*\",\"resource\":\"*\",\"apiGroup\":\"*\",\"nonResourcePath\":\"*\"}}\n";
    private static final String WITHOUT = LINE.formatted("carol");
    private static final String WITH = WITHOUT + LINE.formatted("alice");

    private static final RunningServer[] DECIDERS = new RunningServer[2];
    private static TestPki pki;
    private static Path directory;
    private static RunningServer server;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("delegating").client("alice").client("carol");
        directory = Files.createTempDirectory("plat-deciders");
        for (int index = 0; index < DECIDERS.length; index++) {
            Files.createDirectory(directoryOf(index));
            writePolicy(index, WITH);
        }
        DECIDERS[0] = startDecider(0, 0);
        DECIDERS[1] = startDecider(1, DECIDERS[0].port());
        ClientFiles.write(pki, "webhook.conf", DECIDERS[0].at("/authorize"), "delegating");
        Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1 localhost\n127.0.0.2 localhost\n");
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--authorization-mode=Webhook",
                "--authorization-webhook-config-file=" + pki.file("webhook.conf"),
                "--authorization-webhook-cache-authorized-ttl=0s",
                "--authorization-webhook-cache-unauthorized-ttl=0s",
                "--data-dir=" + directory.resolve("data"),
                "--runtime-config=authorization.plat.io/v1beta1=true"));
        server = RunningServer.start(
                Program.APISERVER_LITE.launcherAfter(
                        directory, "export JAVA_OPTS=\"${JAVA_OPTS:-} -Djdk.net.hosts.file=" + hosts + "\""),
                flags);
        awaitInUse(1);
        awaitInUse(2);
    }

    @AfterAll
    static void stop() {
        server.close();
        for (RunningServer decider : DECIDERS) {
            decider.close();
        }
        Directories.delete(directory);
        pki.close();
    }

    private static Path directoryOf(int index) {
        return directory.resolve("decider-" + index);
    }

    /** Each has its own directory; the policy has the same relative name in both. */
    private static RunningServer startDecider(int index, int port) throws IOException {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--bind-address=127.0.0." + (index + 1),
                "--secure-port=" + port,
                "--authorization-mode=ABAC",
                "--authorization-policy-file=policy.jsonl"));
        return RunningServer.start(
                Program.DECIDER.launcherAfter(directoryOf(index), "cd " + directoryOf(index)), flags);
    }

    private static void writePolicy(int index, String policy) throws IOException {
        AtomicFile.put(directoryOf(index).resolve("policy.jsonl"), policy);
    }

    private static int code(HttpsClient client) throws IOException {
        return client.get(server.at("/version")).statusCode();
    }

    private static void awaitInUse(int last) {
        try (HttpsClient carol = HttpsClient.of(pki, "carol")) {
            URI metrics = server.at("/metrics");
            String line = "authorization_webhook_address_in_use{address=\"127.0.0." + last + "\"} 1";
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> carol.get(metrics).body().contains(line));
        }
    }

    /** Continuous requests until they are stopped, with times and responses. */
    private static final class Load implements AutoCloseable {
        private final CountDownLatch stopped = new CountDownLatch(1);
        private final AtomicLong answers = new AtomicLong();
        private final Collection<String> failures = new ConcurrentLinkedQueue<>();
        private volatile Collection<Long> times = new ConcurrentLinkedQueue<>();
        private final List<Thread> threads = new ArrayList<>();

        Load() {
            for (int i = 0; i < CLIENTS; i++) {
                threads.add(Thread.ofPlatform().start(this::sendRequests));
            }
        }

        private void sendRequests() {
            try (HttpsClient alice = HttpsClient.of(pki, "alice")) {
                while (!stopped.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                    long begin = System.nanoTime();
                    var answer = alice.get(server.at("/version"));
                    times.add(System.nanoTime() - begin);
                    answers.incrementAndGet();
                    if (answer.statusCode() != 200) {
                        failures.add(answer.statusCode() + " " + answer.body());
                    }
                }
            } catch (IOException | InterruptedException e) {
                failures.add(e.toString());
            }
        }

        /** Returns the 99th percentile of the latency of this many requests, in milliseconds. */
        double p99(int count) {
            times = new ConcurrentLinkedQueue<>();
            awaitAnswers(count);
            long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
            return sorted[sorted.length * 99 / 100] / 1e6;
        }

        void awaitAnswers(int count) {
            long before = answers.get();
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> answers.get() - before >= count || !failures.isEmpty());
        }

        @Override
        public void close() {
            stopped.countDown();
            for (Thread thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void failoverAndRestartsAreTransparent() throws IOException {
        try (Load load = new Load()) {
            load.awaitAnswers(ANSWERS);
            double healthy = load.p99(ANSWERS);
            DECIDERS[1].kill();
            double first = load.p99(ANSWERS);
            double without = load.p99(ANSWERS);
            System.out.printf(
                    "p99 with two deciders %.2f ms; with one of them dead %.2f ms over the first %d answers and %.2f ms"
                            + " after those%n",
                    healthy, first, ANSWERS, without);
            DECIDERS[1] = startDecider(1, DECIDERS[0].port());
            awaitInUse(2);
            load.awaitAnswers(ANSWERS);
            for (int restart = 0; restart < RESTARTS; restart++) {
                restart(0, load);
                if (FULL) {
                    restart(1, load);
                }
            }
        }
    }

    /** A rolling update, one decider at a time. */
    private static void restart(int index, Load load) throws IOException {
        int port = DECIDERS[index].port();
        assertThat(DECIDERS[index].terminate()).isZero();
        DECIDERS[index] = startDecider(index, port);
        awaitInUse(index + 1);
        load.awaitAnswers(ANSWERS);
    }

    @Test
    void deciderWithAnOlderPolicyIsNotUsed() throws IOException {
        try (HttpsClient alice = HttpsClient.of(pki, "alice");
                HttpsClient carol = HttpsClient.of(pki, "carol")) {
            assertThat(code(alice)).isEqualTo(200);
            writePolicy(0, WITHOUT);
            await().until(() -> code(alice) == 403);
            int[] codes = new int[ANSWERS / 4];
            for (int i = 0; i < codes.length; i++) {
                codes[i] = code(alice);
                assertThat(code(carol)).isEqualTo(200);
            }
            assertThat(Arrays.stream(codes).distinct()).containsExactly(403);
            writePolicy(0, WITH);
            await().until(() -> code(alice) == 200);
            writePolicy(0, WITHOUT);
            await().until(() -> code(alice) == 403);
            writePolicy(1, WITHOUT);
            for (int i = 0; i < codes.length; i++) {
                assertThat(code(alice)).isEqualTo(403);
            }
            // The decider that was updated first is rolled back; the other one follows.
            writePolicy(0, WITH);
            await().until(() -> code(alice) == 200);
            writePolicy(1, WITH);
        }
    }
}
