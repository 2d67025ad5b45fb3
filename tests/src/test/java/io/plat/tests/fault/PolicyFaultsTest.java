package io.plat.tests.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Command;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A decider and a caching server, while the policy changes and the processes are stopped and replaced: each decision follows a policy that
 * may have been in effect. {@code -Dplat.seed} repeats a run.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolicyFaultsTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final long SEED = Long.getLong("plat.seed", System.nanoTime());
    private static final int RELOADS = FULL ? 1000 : 15;
    private static final int PAUSE_MILLIS = FULL ? 5 : 50;
    private static final int REQUESTS = 20;
    private static final List<String> USERS = List.of("anna", "berta", "clara", "dora");

    /** A user whom no policy allows, even with a flipped bit. */
    private static final String NOBODY = "mallory";

    private static final String PROBE = "probe";
    private static final String DECIDER = "decider";
    private static final String SERVER = "server";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\","
                    + "\"spec\":{\"user\":\"%s\",\"nonResourcePath\":\"%s\"}}\n";

    private final Random random = new Random(SEED);
    private PolicyModel model = new PolicyModel();
    private final Map<String, HttpsClient> clients = new HashMap<>();

    private TestPki pki;
    private RunningServer decider;
    private RunningServer server;
    private int revisions;

    /** Returns the response through a proxy; an injected bug precedes the real one. */
    private interface Door {
        /** 200, 403, or another code for no response. */
        int code(String user) throws IOException;
    }

    @BeforeAll
    void create() throws IOException {
        pki = TestPki.create().client("delegating").client(PROBE).client(NOBODY);
        USERS.forEach(pki::client);
        for (String user : List.of("anna", "berta", "clara", "dora", NOBODY, PROBE, "delegating")) {
            clients.put(user, HttpsClient.of(pki, user));
        }
        start();
    }

    @BeforeEach
    void forget() throws IOException {
        model = new PolicyModel();
        reload();
    }

    @AfterAll
    void close() {
        clients.values().forEach(client -> client.http().shutdownNow());
        stop();
        pki.close();
    }

    private void stop() {
        server.close();
        decider.close();
    }

    private void start() throws IOException {
        Files.writeString(pki.directory().resolve("policy.jsonl"), "");
        decider = startDecider(0, pki);
        ClientFiles.write(pki, "webhook.conf", decider.at("/authorize"), "delegating");
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--authorization-mode=Webhook",
                "--authorization-webhook-config-file=" + pki.file("webhook.conf"),
                "--data-dir=" + pki.directory().resolve("data"),
                "--runtime-config=authorization.plat.io/v1beta1=true"));
        server = RunningServer.start(Program.APISERVER_LITE, flags);
    }

    private RunningServer startDecider(int port, TestPki keys) {
        List<String> flags = new ArrayList<>(keys.serverFlags());
        flags.addAll(List.of(
                "--client-ca-file=" + pki.file("ca.crt"),
                "--secure-port=" + port,
                "--authorization-mode=ABAC",
                "--authorization-policy-file=" + pki.directory().resolve("policy.jsonl")));
        return RunningServer.start(Program.DECIDER, flags);
    }

    private HttpsClient client(String name) {
        return Objects.requireNonNull(clients.get(name), name);
    }

    /** Requests a decision from the decider, which uses its current policy. */
    private int ofDecider(String user, String path) throws IOException {
        var answer = client("delegating").post(decider.at("/authorize"), """
            {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview",
            "spec":{"user":"%s","nonResourceAttributes":{"path":"%s","verb":"get"}}}\
            """.formatted(user, path));
        return answer.statusCode() >= 300
                ? answer.statusCode()
                : answer.body().contains("\"allowed\":true") ? 200 : 403;
    }

    private int ofServer(String user, String path) throws IOException {
        int code = client(user).get(server.at(path)).statusCode();
        return code == 404 ? 200 : code;
    }

    private PolicyModel.Revision write() throws IOException {
        Set<String> allowed =
                USERS.stream().filter(user -> random.nextBoolean()).collect(Collectors.toSet());
        String text =
                allowed.stream().map(user -> LINE.formatted(user, "/version")).collect(Collectors.joining())
                        + LINE.formatted(PROBE, "/revision-" + ++revisions);
        return model.written(allowed, AtomicFile.put(pki.directory().resolve("policy.jsonl"), text));
    }

    private void reload() throws IOException {
        shown(write());
    }

    /** Waits until both report the last revision; later decisions must not use an earlier one. */
    private void shown(PolicyModel.Revision revision) {
        String path = "/revision-" + revisions;
        shown(DECIDER, revision, () -> ofDecider(PROBE, path));
        shown(SERVER, revision, () -> ofServer(PROBE, path));
    }

    private interface Probe {
        int code() throws IOException;
    }

    private static void shown(String proxy, PolicyModel.Revision revision, Probe probe) {
        await().atMost(TIMEOUT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .ignoreExceptions()
                .until(() -> probe.code() == 200);
        revision.seen().put(proxy, System.nanoTime());
    }

    /** Sends requests through both proxies during an action. */
    private void during(Door atDecider, Door atServer, Work work) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        List<Thread> clientThreads = new ArrayList<>();
        for (String user : clients.keySet()) {
            if (!user.equals(PROBE) && !user.equals("delegating")) {
                clientThreads.add(Thread.ofVirtual().start(() -> sendRequests(DECIDER, user, atDecider, over)));
                clientThreads.add(Thread.ofVirtual().start(() -> sendRequests(SERVER, user, atServer, over)));
            }
        }
        try {
            work.run();
        } finally {
            over.countDown();
            for (Thread thread : clientThreads) {
                thread.join();
            }
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private void sendRequests(String name, String user, Door proxy, CountDownLatch over) {
        try {
            while (!over.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                long requested = System.nanoTime();
                int code = codeOf(proxy, user);
                if (code == 200 || code == 403) {
                    model.record(new PolicyModel.Answer(name, user, requested, System.nanoTime(), code == 200));
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static int codeOf(Door proxy, String user) {
        try {
            return proxy.code(user);
        } catch (IOException away) {
            return 0;
        }
    }

    private Door atDecider() {
        return user -> ofDecider(user, "/version");
    }

    private Door atServer() {
        return user -> ofServer(user, "/version");
    }

    private void reloads(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            reload();
            int before = model.answers();
            await().atMost(TIMEOUT)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> model.answers() >= before + USERS.size());
        }
    }

    private void assertExplained() {
        System.out.println(model.answers() + " answers, " + revisions + " revisions, -Dplat.seed=" + SEED);
        assertThat(model.violations()).as("-Dplat.seed=%s", SEED).isEmpty();
        assertThat(model.answers()).isPositive();
    }

    @Test
    void answersMatchAPolicyThatMayBeInEffect() throws Exception {
        during(atDecider(), atServer(), () -> {
            reloads(RELOADS);
            stopAndContinue(decider);
            stopAndContinue(server);
            flippedBits();
            reloads(1);
        });
        assertExplained();
    }

    @Test
    void proxyWithStaleAnswersIsDetected() throws Exception {
        ConcurrentMap<String, Integer> remembered = new ConcurrentHashMap<>();
        Door forgetful = user -> remembered.computeIfAbsent(user, any -> codeOf(atServer(), any));
        during(atDecider(), forgetful, () -> reloads(8));
        assertThat(model.violations()).extracting(PolicyModel.Answer::proxy).containsOnly(SERVER);
    }

    @Test
    void proxyThatResumesStaleIsDetected() throws Exception {
        ConcurrentMap<String, Integer> remembered = new ConcurrentHashMap<>();
        AtomicBoolean stopped = new AtomicBoolean();
        Door unchanged = user -> stopped.get()
                ? remembered.getOrDefault(user, 403)
                : remembered.merge(user, codeOf(atServer(), user), (before, now) -> now);
        during(atDecider(), unchanged, () -> {
            reloads(1);
            stopped.set(true);
            stopAndContinue(server);
            reloads(8);
        });
        assertThat(model.violations()).extracting(PolicyModel.Answer::proxy).containsOnly(SERVER);
    }

    @Test
    void proxyThatGrantsOnAFlippedBitIsDetected() throws Exception {
        AtomicBoolean flipped = new AtomicBoolean();
        Door credulous = user -> flipped.get() && user.equals(NOBODY) ? 200 : codeOf(atDecider(), user);
        during(credulous, atServer(), () -> {
            reloads(1);
            flipped.set(true);
            flippedBits();
            reloads(1);
        });
        assertThat(model.violations()).extracting(PolicyModel.Answer::user).containsOnly(NOBODY);
    }

    /** The policy changes meanwhile; it takes effect once the process continues. */
    private void stopAndContinue(RunningServer process) throws Exception {
        for (int seconds : FULL ? new int[] {5, 60} : new int[] {1}) {
            signal("-STOP", process);
            PolicyModel.Revision written;
            try {
                await().pollDelay(Duration.ofSeconds(seconds))
                        .atMost(TIMEOUT.multipliedBy(3))
                        .until(() -> true);
                written = write();
            } finally {
                signal("-CONT", process);
            }
            shown(written);
        }
    }

    private static void signal(String signal, RunningServer process) {
        Command.of("kill", signal, Long.toString(process.pid())).run();
    }

    /** A policy with a flipped bit is refused, or is another one that grants nothing to {@link #NOBODY}. */
    private void flippedBits() throws IOException {
        for (int i = 0; i < (FULL ? 200 : 5); i++) {
            PolicyModel.Revision last = write();
            byte[] text = Files.readAllBytes(pki.directory().resolve("policy.jsonl"));
            text[random.nextInt(text.length)] ^= (byte) (1 << random.nextInt(8));
            // A changed name revokes a permission.
            USERS.forEach(user -> model.written(
                    last.allowed().contains(user) ? without(last, user) : last.allowed(), last.written()));
            AtomicFile.put(pki.directory().resolve("policy.jsonl"), new String(text, StandardCharsets.ISO_8859_1));
            reload();
        }
    }

    private static Set<String> without(PolicyModel.Revision revision, String user) {
        return revision.allowed().stream().filter(each -> !each.equals(user)).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void impostorWithoutTheKeyDecidesNothing(boolean withItsKey) throws Exception {
        try (TestPki other = TestPki.create()) {
            int port = decider.port();
            during(user -> 0, atServer(), () -> {
                reloads(1);
                decider.kill();
                Files.writeString(pki.directory().resolve("policy.jsonl"), LINE.formatted("*", "*"));
                try (RunningServer impostor = startDecider(port, withItsKey ? pki : other)) {
                    assertThat(impostor.port()).isEqualTo(port);
                    if (withItsKey) {
                        await().atMost(TIMEOUT).until(() -> ofServer(NOBODY, "/version") == 200);
                    }
                    for (int i = 0; i < REQUESTS && !withItsKey; i++) {
                        assertThat(ofServer(NOBODY, "/version")).isNotEqualTo(200);
                    }
                }
                PolicyModel.Revision written = write();
                decider.close();
                decider = startDecider(port, pki);
                shown(written);
            });
        }
        if (withItsKey) {
            assertThat(model.violations())
                    .as("the test would detect it")
                    .extracting(PolicyModel.Answer::user)
                    .contains(NOBODY);
        } else {
            assertExplained();
        }
    }
}
