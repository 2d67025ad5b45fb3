package io.plat.tests.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Hostile requests change nothing, disclose nothing and block nobody: {@code alice} may read {@code /version} and the configmaps of
 * namespace {@code open}, and attacks a delegating API server; an allowed client attacks the decider itself. {@code -Dplat.seed} repeats a
 * run.
 */
class HostileInputTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final int REQUESTS = Integer.getInteger("plat.hostile", FULL ? 1_000_000 : 5_000);
    private static final long SEED = Long.getLong("plat.seed", System.nanoTime());
    private static final int CLIENTS = 4;
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private static final String POLICY =
            "{\"apiVersion\":\"abac.authorization.platform.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"alice\",%s}}\n";
    private static final String REVIEW =
            "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":{"
                    + "\"user\":\"mallory\",\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"configmaps\",\"namespace\":\"open\"}}}";

    /** Number of responses by status, printed to show how far the requests got. */
    private static final ConcurrentNavigableMap<Integer, Integer> STATUSES = new ConcurrentSkipListMap<>();

    private static TestPki pki;
    private static RunningServer decider;
    private static RunningServer server;
    private static HttpsClient admin;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create()
                .client("apiserver-lite")
                .client("admin", "system:masters")
                .client("alice");
        Path policy = Files.writeString(
                pki.directory().resolve("policy.jsonl"),
                POLICY.formatted("\"readonly\":true,\"nonResourcePath\":\"/version\"")
                        + POLICY.formatted("\"namespace\":\"open\",\"resource\":\"configmaps\""));
        decider = start(Program.DECIDER, "--authorization-mode=ABAC", "--authorization-policy-file=" + policy);
        ClientFiles.write(pki, "webhook.conf", decider.at("/authorize"), "apiserver-lite");
        server = start(
                Program.APISERVER_LITE,
                "--data-dir=" + pki.directory().resolve("data"),
                "--authorization-mode=Webhook",
                "--authorization-webhook-config-file=" + pki.file("webhook.conf"),
                "--runtime-config=authorization.plat.io/v1beta1=true");
        admin = HttpsClient.of(pki, "admin");
        create("open", "note", Oracle.OPEN);
        create("closed", "secret", Oracle.CLOSED);
    }

    private static RunningServer start(Program program, String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.add("--secure-port=0");
        flags.addAll(List.of(more));
        return RunningServer.start(program, flags);
    }

    private static void create(String namespace, String name, String value) throws IOException {
        admin.post(server.at("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
        String body = "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"value\":\"" + value + "\"}}";
        assertThat(admin.post(server.at("/api/v1/namespaces/" + namespace + "/configmaps"), body)
                        .statusCode())
                .isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        admin.close();
        server.close();
        decider.close();
        Directories.delete(pki.directory());
    }

    @Test
    void hostileRequestsHaveNoEffect() throws Exception {
        System.out.println(REQUESTS + " hostile requests, -Dplat.seed=" + SEED);
        String before = closedObjects();
        Exchange apiServer = new Exchange(server.port(), () -> pki.tls("alice"));
        Exchange reviews = new Exchange(decider.port(), () -> pki.tls("apiserver-lite"));
        Queue<String> violations = new ConcurrentLinkedQueue<>();
        List<Duration> calm = List.of();
        List<Duration> busy;
        try (HttpsClient well = HttpsClient.of(pki, "alice")) {
            WellBehavedClient client =
                    new WellBehavedClient(well, server.at("/api/v1/namespaces/open/configmaps/note"));
            HostileRequest plain = new HostileRequest(
                    "none",
                    HostileRequest.Protocol.HTTP_1_1,
                    "GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n",
                    false);
            if (FULL) {
                calm = client.readDuring(() -> send(REQUESTS / 5, violations, random -> plain, apiServer, apiServer));
            }
            busy = client.readDuring(() -> send(REQUESTS, violations, HostileInputTest::hostile, apiServer, reviews));
        }
        System.out.printf(
                "a well-behaved client's p99: %d us beside hostile requests%n",
                WellBehavedClient.p99(busy).toNanos() / 1000);
        System.out.println("answers by status: " + STATUSES);
        assertThat(violations).as("-Dplat.seed=%s", SEED).isEmpty();
        assertThat(busy.getLast()).isLessThan(LONGEST);
        assertThat(closedObjects()).isEqualTo(before);
        if (FULL) {
            System.out.printf(
                    "%d us beside plain ones%n", WellBehavedClient.p99(calm).toNanos() / 1000);
            assertThat(WellBehavedClient.p99(busy))
                    .isLessThan(WellBehavedClient.p99(calm).multipliedBy(2));
        }
        assertStillRight();
    }

    @Test
    void hostileProxyChecksAreRefused() throws Exception {
        System.out.println(REQUESTS / 5 + " hostile checks, -Dplat.seed=" + SEED);
        Path policy = Files.writeString(
                pki.directory().resolve("checks.jsonl"),
                POLICY.formatted("\"readonly\":true,\"nonResourcePath\":\"/version\""));
        try (RunningServer checks = start(
                Program.DECIDER,
                "--authorization-mode=ABAC",
                "--authorization-policy-file=" + policy,
                "--reasons=none",
                "--http-check",
                "--check-response-headers=X-Auth-User,X-Auth-Groups")) {
            Exchange proxy = new Exchange(checks.port(), () -> pki.tls("apiserver-lite"));
            Queue<String> violations = new ConcurrentLinkedQueue<>();
            send(REQUESTS / 5, violations, HostileInputTest::hostileCheck, proxy, proxy);
            assertThat(violations).as("-Dplat.seed=%s", SEED).isEmpty();
            assertThat(checks.err()).doesNotContain("\tat ");
        }
    }

    /** A hostile request as forwarded by a proxy: below the path of checks, or in headers. */
    private static HostileRequest hostileCheck(Random random) {
        HostileRequest request = Http1Requests.random(random);
        String text = request.text();
        int target = text.indexOf(' ') + 1;
        int end = text.indexOf(' ', target);
        String user = "\r\nX-Forwarded-User: alice\r\n";
        if (target == 0 || end < 0 || text.indexOf("\r\n") < end) {
            return request;
        }
        String checked = random.nextBoolean()
                ? text.substring(0, target) + "/check" + text.substring(target).replaceFirst("\r\n", user)
                : text.substring(0, target)
                        + "/check"
                        + text.substring(end)
                                .replaceFirst(
                                        "\r\n",
                                        Matcher.quoteReplacement(user + "X-Forwarded-Method: GET\r\nX-Forwarded-Uri: "
                                                + text.substring(target, end) + "\r\n"));
        return new HostileRequest("check of " + request.family(), request.protocol(), checked, request.forbidden());
    }

    @Test
    void malformedMediaTypesAreNeverAnInternalError() throws IOException {
        Exchange apiServer = new Exchange(server.port(), () -> pki.tls("alice"));
        Exchange reviews = new Exchange(decider.port(), () -> pki.tls("apiserver-lite"));
        String object = "{\"metadata\":{\"name\":\"a\",\"namespace\":\"open\"}}";
        String writes = Http1Requests.OPEN_LIST + "?dryRun=All";
        var violations = new ArrayList<String>();
        for (HostileRequest request : MediaTypeFields.requests("POST", writes, object)) {
            judge(request, apiServer).ifPresent(violations::add);
        }
        for (HostileRequest request : MediaTypeFields.requests("GET", "/version", "")) {
            judge(request, apiServer).ifPresent(violations::add);
        }
        for (HostileRequest request : MediaTypeFields.requests("POST", "/authorize", REVIEW)) {
            judge(request, reviews).ifPresent(violations::add);
        }
        assertThat(violations).isEmpty();
        for (String malformed : MediaTypeFields.MALFORMED) {
            String field = "Content-Type: " + malformed;
            assertThat(statuses(apiServer, MediaTypeFields.request("POST", writes, field, object)))
                    .as(field)
                    .containsExactly(415);
            assertThat(statuses(reviews, MediaTypeFields.request("POST", "/authorize", field, REVIEW)))
                    .as(field)
                    .containsExactly(415);
        }
        assertThat(statuses(apiServer, MediaTypeFields.request("GET", "/version", "Accept:", "")))
                .containsExactly(406);
        assertThat(statuses(reviews, MediaTypeFields.request("POST", "/authorize", "Accept: ", REVIEW)))
                .containsExactly(406);
    }

    private static List<Integer> statuses(Exchange exchange, String request) throws IOException {
        return exchange.send(new HostileRequest("media types", HostileRequest.Protocol.HTTP_1_1, request, false))
                .statuses();
    }

    private static String closedObjects() throws IOException {
        return admin.get(server.at("/api/v1/namespaces/closed/configmaps"))
                .body()
                .replaceAll("\"resourceVersion\":\"[0-9]+\"", "");
    }

    private static HostileRequest hostile(Random random) {
        return random.nextBoolean() ? Http1Requests.random(random) : Http2Requests.random(random);
    }

    /** Generates one request. */
    private interface Generator {
        HostileRequest next(Random random);
    }

    private static void send(
            int count, Queue<String> violations, Generator generator, Exchange apiServer, Exchange reviews)
            throws Exception {
        var next = new AtomicInteger();
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            var sending = new ArrayList<Callable<Boolean>>();
            for (int i = 0; i < CLIENTS; i++) {
                sending.add(() -> {
                    for (int number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                        HostileRequest request = generator.next(new Random(SEED + number));
                        Exchange exchange = number % 5 == 0 ? reviews : apiServer;
                        String at =
                                request.family() + ", number " + number + (exchange == reviews ? ", decider: " : ": ");
                        judge(request, exchange).ifPresent(violation -> violations.add(at + violation));
                    }
                    return true;
                });
            }
            for (Future<Boolean> sent : clients.invokeAll(sending)) {
                sent.get();
            }
        }
    }

    private static Optional<String> judge(HostileRequest request, Exchange exchange) throws IOException {
        Reply reply = exchange.send(request);
        reply.statuses().forEach(status -> STATUSES.merge(status, 1, Integer::sum));
        return Oracle.violation(request, reply)
                .map(violation -> violation + ": " + shortened(request.text()) + " -> " + reply.statuses() + " "
                        + shortened(reply.text()));
    }

    private static String shortened(String text) {
        String line = text.replace("\r", "\\r").replace("\n", "\\n");
        return line.length() <= 300 ? line : line.substring(0, 300) + "...";
    }

    private static void assertStillRight() throws IOException {
        try (HttpsClient alice = HttpsClient.of(pki, "alice");
                HttpsClient client = HttpsClient.of(pki, "apiserver-lite")) {
            assertThat(alice.get(server.at("/version")).statusCode()).isEqualTo(200);
            assertThat(alice.get(server.at(Http1Requests.CLOSED_OBJECT)).statusCode())
                    .isEqualTo(403);
            assertThat(client.post(decider.at("/authorize"), REVIEW).body()).contains("\"allowed\":false");
        }
        assertThat(server.err() + decider.err()).doesNotContain("\tat ");
    }
}
