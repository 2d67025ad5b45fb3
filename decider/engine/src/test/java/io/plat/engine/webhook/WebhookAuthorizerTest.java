package io.plat.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.client.remote.Backoff;
import io.plat.client.remote.Deciders;
import io.plat.client.remote.Endpoint;
import io.plat.client.remote.FakeDecider;
import io.plat.client.remote.TestPki;
import io.plat.engine.Decision;
import io.plat.engine.Decision.Allow;
import io.plat.engine.Decision.Deny;
import io.plat.engine.Decision.NoOpinion;
import io.plat.engine.Decision.Undecided;
import io.plat.process.Waiting;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.review.clientconfig.BearerToken;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode.Sequence;
import io.plat.review.source.SourceReader;
import io.plat.tls.pem.PemException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Order(2)
@Execution(ExecutionMode.CONCURRENT)
class WebhookAuthorizerTest {
    private static final String TYPE = "\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\"";
    private static final String ALLOWED = "{" + TYPE + ",\"status\":{\"allowed\":true}}";
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Attributes REQUEST = new Attributes(
            new UserInfo("alice", List.of("dev")),
            new ResourceAttributes("team-a", "get", "rbac.authorization.plat.io", "v1", "roles", "", "r"));

    @SuppressWarnings("NullAway.Init")
    private static TestPki pki;

    @SuppressWarnings("NullAway.Init")
    private static SSLContext serving;

    @SuppressWarnings("NullAway.Init")
    private static SSLContext clientTls;

    @BeforeAll
    static void makePki() throws PemException {
        pki = new TestPki();
        serving = pki.serving(pki.server("localhost"));
        clientTls = pki.clientContext(pki.client("server-1"));
    }

    @TestFactory
    Stream<DynamicTest> onlyAnAllowedReviewIsAnAllow() throws Exception {
        try (var in = Objects.requireNonNull(WebhookAuthorizerTest.class.getResourceAsStream("answers.yaml"))) {
            List<Problem> problems = new ArrayList<>();
            Sequence table = (Sequence)
                    SourceReader.readYaml("answers.yaml", in.readAllBytes()).getFirst();
            return table.items().stream()
                    .map(row -> SourceFields.of(row, "", problems))
                    .map(row -> DynamicTest.dynamicTest(row.string("name"), () -> checkAnswer(row)));
        }
    }

    /** A turn that is left while the decider has not answered. */
    private static final class LeftTurn implements Waiting.Turn {
        private final List<String> events = new ArrayList<>();

        @Override
        public boolean leave() {
            events.add("leave");
            return true;
        }

        @Override
        public void resume() {
            events.add("resume");
        }
    }

    @Test
    void everyCallLeavesTheTurnOfItsRequest() throws Exception {
        List<Consumer<WebhookAuthorizer>> calls = List.of(
                webhook -> webhook.authorize(REQUEST),
                webhook -> webhook.explain(REQUEST),
                webhook -> webhook.subjects(REQUEST.access()),
                webhook -> webhook.rules(REQUEST.user(), "team-a"));
        for (Consumer<WebhookAuthorizer> call : calls) {
            var turn = new LeftTurn();
            try (FakeDecider decider = new FakeDecider(serving, FakeDecider.http("403 Forbidden", "", "{}"));
                    WebhookAuthorizer webhook = webhook(decider.url(), LONG, 1)) {
                Waiting.inTurn(turn, () -> call.accept(webhook));
            }
            assertThat(turn.events).startsWith("leave", "resume").hasSizeLessThanOrEqualTo(4);
        }
    }

    private static void checkAnswer(SourceFields row) throws Exception {
        String status = row.has("status") ? row.string("status") : "200 OK";
        String type = row.has("type") ? row.string("type") : "application/json";
        String body = row.string("body").replace("TYPE", TYPE);
        FakeDecider.Script script =
                FakeDecider.http(status, type.equals("none") ? "" : "Content-Type: " + type + "\r\n", body);
        try (FakeDecider decider = new FakeDecider(serving, script);
                WebhookAuthorizer webhook = webhook(decider.url(), LONG, 3)) {
            Decision decision = webhook.authorize(REQUEST);
            String url = decider.url().toString();
            switch (row.string("decision")) {
                case "allow" -> assertThat(decision).isInstanceOf(Allow.class);
                case "deny" -> assertThat(decision).isInstanceOf(Deny.class);
                case "none" -> assertThat(decision).isInstanceOf(NoOpinion.class);
                default -> assertThat(failure(decision)).startsWith("webhook " + url + ": " + row.string("reason"));
            }
            if (!row.string("decision").equals("failed")) {
                assertThat(decision.reason()).isEqualTo(row.string("reason").replace("URL", url));
            }
            assertThat(decider.requests).hasSize(row.has("requests") ? Integer.parseInt(row.string("requests")) : 1);
        }
    }

    /** The deadline passes at every stage: before the start, while connecting, and between two steps. */
    @Test
    void aDecisionIsMadeWheneverTheDeadlineEnds() throws Exception {
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.json("201 Created", ALLOWED))) {
            for (int i = 0; i < 300; i++) {
                try (WebhookAuthorizer webhook = webhook(decider.url(), Duration.ofNanos(1 + i * 100_000L), 1)) {
                    Decision decision = webhook.authorize(REQUEST);
                    if (!(decision instanceof Allow)) {
                        assertThat(failure(decision)).endsWith(" in time");
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ReviewVersion.class)
    void requestsHaveTheConfiguredVersion(ReviewVersion version) throws Exception {
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.json("200 OK", "{}"));
                WebhookAuthorizer webhook = new WebhookAuthorizer(
                        new Endpoint(decider.url(), () -> clientTls, null),
                        new WebhookAuthorizer.Settings(version, LONG))) {
            failure(webhook.authorize(REQUEST));
            FakeDecider.Request request = decider.requests.getFirst();
            assertThat(request.body())
                    .isEqualTo("{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"" + version.apiVersion()
                            + "\",\"spec\":{\"resourceAttributes\":{\"namespace\":\"team-a\",\"verb\":\"get\","
                            + "\"group\":\"rbac.authorization.plat.io\",\"version\":\"v1\",\"resource\":\"roles\",\"name\":\"r\"},"
                            + "\"user\":\"alice\",\"" + version.groupsField() + "\":[\"dev\"]}}");
            assertThat(request.head())
                    .startsWith("POST /authorize HTTP/1.1")
                    .contains("Content-Type: application/json", "Accept: application/json", "User-Agent: plat")
                    .doesNotContain("Authorization");
            assertThat(request.client()).contains("CN=server-1");
        }
    }

    @Test
    void aGrantNamesTheWebhook() throws Exception {
        String body = "{" + TYPE + ",\"status\":{\"allowed\":true,\"reason\":\"rule 7\"}}";
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.json("200 OK", body));
                WebhookAuthorizer webhook = webhook(decider.url(), LONG, 1)) {
            Allow allow = (Allow) webhook.authorize(REQUEST);
            assertThat(allow.grant().authorizer()).isEqualTo("Webhook");
            assertThat(allow.grant().source()).isEqualTo(decider.url().toString());
            assertThat(allow.grant().rule()).isEqualTo("rule 7");
            assertThat(webhook.decideFromMemory(REQUEST)).isNull();
        }
    }

    @Test
    void everyRoundTripIsReported() throws Exception {
        List<String> results = new ArrayList<>();
        try (FakeDecider decider = new FakeDecider(
                        serving,
                        FakeDecider.json("503 Service Unavailable", ""),
                        FakeDecider.json("200 OK", ALLOWED),
                        FakeDecider.json("403 Forbidden", ""),
                        FakeDecider.silence(""));
                WebhookAuthorizer webhook = webhook(decider.url(), Duration.ofSeconds(3), 2)) {
            webhook.onRoundTrip((result, nanos) -> results.add(result + (nanos > 0 ? "" : " took no time")));
            assertThat(webhook.authorize(REQUEST)).isInstanceOf(Allow.class);
            assertThat(webhook.authorize(REQUEST)).isInstanceOf(Undecided.class);
            assertThat(webhook.authorize(REQUEST)).isInstanceOf(Undecided.class);
        }
        assertThat(results).containsExactly("ERROR", "SUCCESS", "ERROR", "TIMEOUT");
    }

    @Test
    void aTokenIsSentAndNeverShown() throws Exception {
        BearerToken token = BearerToken.of(new Location("f", 1), "SECRET");
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.json("403 Forbidden", ""));
                WebhookAuthorizer webhook = new WebhookAuthorizer(
                        new Endpoint(decider.url(), () -> clientTls, WebhookEndpoint.token(token)),
                        new WebhookAuthorizer.Settings(ReviewVersion.K8S_V1, LONG))) {
            assertThat(failure(webhook.authorize(REQUEST))).doesNotContain("SECRET");
            assertThat(decider.requests.getFirst().head()).contains("Authorization: Bearer SECRET");
        }
    }

    @Test
    void anUnreadableTokenIsAFailure() throws Exception {
        BearerToken token = BearerToken.of(new Location("f", 1), "a b");
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.json("200 OK", ALLOWED));
                WebhookAuthorizer webhook = new WebhookAuthorizer(
                        new Endpoint(decider.url(), () -> clientTls, WebhookEndpoint.token(token)),
                        new WebhookAuthorizer.Settings(ReviewVersion.K8S_V1, LONG))) {
            assertThat(failure(webhook.authorize(REQUEST))).contains("f:1: the token has an invalid character");
            assertThat(decider.connections).hasValue(0);
        }
    }

    @Test
    void connectionsAreReused() throws Exception {
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.json("200 OK", ALLOWED));
                WebhookAuthorizer webhook = webhook(decider.url(), LONG, 1)) {
            for (int i = 0; i < 20; i++) {
                assertThat(webhook.authorize(REQUEST)).isInstanceOf(Allow.class);
            }
            assertThat(decider.requests).hasSize(20);
            assertThat(decider.connections).hasValue(1);
        }
    }

    @Test
    void aBrokenReusedConnectionIsReplaced() throws Exception {
        try (FakeDecider decider = new FakeDecider(
                        serving,
                        FakeDecider.reset(),
                        FakeDecider.json("503 Service Unavailable", ""),
                        FakeDecider.json("200 OK", ALLOWED));
                WebhookAuthorizer webhook = webhook(decider.url(), LONG, 3)) {
            assertThat(webhook.authorize(REQUEST)).isInstanceOf(Allow.class);
            assertThat(decider.requests).hasSize(3);
        }
    }

    @Test
    void attemptsAreBounded() throws Exception {
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.reset());
                WebhookAuthorizer webhook = webhook(decider.url(), LONG, 4)) {
            failure(webhook.authorize(REQUEST));
            assertThat(decider.requests).hasSize(4);
        }
    }

    @TestFactory
    Stream<DynamicTest> aPartialResponseIsNotRetried() {
        return Stream.of(
                        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n" + ALLOWED,
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(ALLOWED.length())
                                + "\r\n" + ALLOWED + "\r\n",
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" + ALLOWED + "\r\n0\r\n\r\n")
                .map(bytes -> DynamicTest.dynamicTest(bytes.substring(0, 60), () -> {
                    try (FakeDecider decider = new FakeDecider(serving, FakeDecider.raw(bytes));
                            WebhookAuthorizer webhook = webhook(decider.url(), LONG, 3)) {
                        assertThat(failure(webhook.authorize(REQUEST))).contains("the answer cannot be read");
                        assertThat(decider.requests).hasSize(1);
                    }
                }));
    }

    @Test
    void whatIsNotHttpIsAFailure() throws Exception {
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.raw("SSH-2.0-OpenSSH_9.9\r\n\r\n" + ALLOWED));
                WebhookAuthorizer webhook = webhook(decider.url(), LONG, 2)) {
            failure(webhook.authorize(REQUEST));
        }
    }

    @Test
    void anEndlessResponseIsAborted() throws Exception {
        FakeDecider.Script endless = (connection, _) -> {
            connection.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] spaces = new byte[64 << 10];
            Arrays.fill(spaces, (byte) ' ');
            while (true) {
                connection.getOutputStream().write(spaces);
            }
        };
        try (FakeDecider decider = new FakeDecider(serving, endless);
                WebhookAuthorizer webhook = webhook(decider.url(), LONG, 3)) {
            assertThat(failure(webhook.authorize(REQUEST))).contains("the answer cannot be read");
            assertThat(decider.requests).hasSize(1);
        }
    }

    @TestFactory
    Stream<DynamicTest> theDeadlineAppliesToEveryStage() {
        return Stream.of("", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{")
                .map(begin -> DynamicTest.dynamicTest("after " + begin.length() + " bytes", () -> {
                    try (FakeDecider decider = new FakeDecider(serving, FakeDecider.silence(begin));
                            WebhookAuthorizer webhook = webhook(decider.url(), Duration.ofMillis(600), 3)) {
                        long start = System.nanoTime();
                        assertThat(failure(webhook.authorize(REQUEST))).contains("no answer in time");
                        assertThat(Duration.ofNanos(System.nanoTime() - start))
                                .isBetween(Duration.ofMillis(590), Duration.ofSeconds(3));
                    }
                }));
    }

    @Test
    void theDeadlineIncludesRetries() throws Exception {
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.json("503 Service Unavailable", ""));
                WebhookAuthorizer webhook = new WebhookAuthorizer(
                        new Endpoint(decider.url(), () -> clientTls, null),
                        new WebhookAuthorizer.Settings(ReviewVersion.K8S_V1, Duration.ofMillis(1500)))) {
            long start = System.nanoTime();
            // The deadline may pass during the request to the last one.
            assertThat(failure(webhook.authorize(REQUEST))).containsAnyOf("HTTP 503", "no answer in time");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
            assertThat(decider.requests).hasSizeBetween(2, 5);
        }
    }

    @Test
    void delaysGrowAndRespectTheDeadline() throws Exception {
        List<Duration> waits = new ArrayList<>();
        long[] now = {0};
        Deciders.Timing timing =
                new Deciders.Timing(new Backoff(Duration.ofSeconds(1), 2, 0.5, 10), () -> now[0], () -> 1.0, time -> {
                    waits.add(time);
                    now[0] += time.toNanos();
                });
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.json("503 Service Unavailable", ""));
                WebhookAuthorizer webhook = new WebhookAuthorizer(
                        new Endpoint(decider.url(), () -> clientTls, null),
                        new WebhookAuthorizer.Settings(ReviewVersion.K8S_V1, Duration.ofSeconds(20)),
                        timing)) {
            failure(webhook.authorize(REQUEST));
            // 1.5 + 3 + 6 leave 9.5 of 20 seconds, too few for another 12.
            assertThat(waits).containsExactly(Duration.ofMillis(1500), Duration.ofSeconds(3), Duration.ofSeconds(6));
            assertThat(decider.requests).hasSize(4);
        }
    }

    @Test
    void retryAfterIsHonored() throws Exception {
        List<Duration> waits = new ArrayList<>();
        Deciders.Timing timing =
                new Deciders.Timing(new Backoff(Duration.ofMillis(1), 1, 0, 3), () -> 0, () -> 0, waits::add);
        try (FakeDecider decider = new FakeDecider(
                        serving,
                        FakeDecider.json("429 Too Many Requests\r\nRetry-After: 2", ""),
                        FakeDecider.json("200 OK", ALLOWED));
                WebhookAuthorizer webhook = new WebhookAuthorizer(
                        new Endpoint(decider.url(), () -> clientTls, null),
                        new WebhookAuthorizer.Settings(ReviewVersion.K8S_V1, LONG),
                        timing)) {
            assertThat(webhook.authorize(REQUEST)).isInstanceOf(Allow.class);
            assertThat(waits).containsExactly(Duration.ofSeconds(2));
        }
    }

    @Test
    void aReturnedDeciderIsUsedAgain() throws Exception {
        FakeDecider decider = new FakeDecider(serving, FakeDecider.json("200 OK", ALLOWED));
        try (WebhookAuthorizer webhook = webhook(decider.url(), LONG, 2)) {
            assertThat(webhook.authorize(REQUEST)).isInstanceOf(Allow.class);
            decider.close();
            assertThat(failure(webhook.authorize(REQUEST))).contains(decider.url() + ": cannot connect");
        }
    }

    @Test
    void aServerWithAnotherNameReceivesNoRequest() throws Exception {
        SSLContext other = pki.serving(pki.server("elsewhere"));
        try (FakeDecider decider = new FakeDecider(other, FakeDecider.json("200 OK", ALLOWED));
                WebhookAuthorizer webhook = webhook(decider.url(), LONG, 3)) {
            assertThat(failure(webhook.authorize(REQUEST))).contains("TLS: ");
            assertThat(decider.requests).isEmpty();
            assertThat(decider.connections).hasValue(1);
        }
        SSLContext named = pki.clientContext(pki.client("x"), "elsewhere");
        try (FakeDecider decider = new FakeDecider(other, FakeDecider.json("200 OK", ALLOWED));
                WebhookAuthorizer webhook = webhook(new Endpoint(decider.url(), () -> named, null), LONG, 1)) {
            assertThat(webhook.authorize(REQUEST)).isInstanceOf(Allow.class);
        }
    }

    @Test
    void aServerWithAnExpiredCertificateReceivesNoRequest() throws Exception {
        InstantSource lastYear = () -> InstantSource.system().instant().minus(Duration.ofDays(200));
        TestPki old = new TestPki(lastYear);
        SSLContext trusting = old.clientContext(old.client("x"));
        try (FakeDecider decider =
                        new FakeDecider(old.serving(old.expired("localhost")), FakeDecider.json("200 OK", ALLOWED));
                WebhookAuthorizer webhook = webhook(new Endpoint(decider.url(), () -> trusting, null), LONG, 3)) {
            assertThat(failure(webhook.authorize(REQUEST))).contains("TLS: ").contains("expired");
            assertThat(decider.requests).isEmpty();
        }
    }

    @Test
    void aServerOfAnotherAuthorityReceivesNoRequest() throws Exception {
        TestPki foreign = new TestPki();
        try (FakeDecider decider = new FakeDecider(
                        foreign.serving(foreign.server("localhost")), FakeDecider.json("200 OK", ALLOWED));
                WebhookAuthorizer webhook = webhook(decider.url(), LONG, 3)) {
            assertThat(failure(webhook.authorize(REQUEST))).contains("TLS: ");
            assertThat(decider.requests).isEmpty();
        }
    }

    @Test
    void aServerThatRefusesTheCertificateIsAFailure() throws Exception {
        TestPki foreign = new TestPki();
        SSLContext stranger = pki.clientContext(foreign.client("stranger"));
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.json("200 OK", ALLOWED));
                WebhookAuthorizer webhook = webhook(new Endpoint(decider.url(), () -> stranger, null), LONG, 3)) {
            failure(webhook.authorize(REQUEST));
            assertThat(decider.requests).isEmpty();
        }
    }

    @Test
    void anInterruptEndsTheRequest() throws Exception {
        CountDownLatch requested = new CountDownLatch(1);
        FakeDecider.Script script = (connection, request) -> {
            requested.countDown();
            return FakeDecider.silence("").answer(connection, request);
        };
        try (FakeDecider decider = new FakeDecider(serving, script);
                WebhookAuthorizer webhook = webhook(decider.url(), Duration.ofMinutes(5), 3);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Thread[] waiting = new Thread[1];
            Future<Decision> decision = threads.submit(() -> {
                waiting[0] = Thread.currentThread();
                Decision decided = webhook.authorize(REQUEST);
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                return decided;
            });
            assertThat(requested.await(20, TimeUnit.SECONDS)).isTrue();
            waiting[0].interrupt();
            assertThat(failure(decision.get(20, TimeUnit.SECONDS))).contains("interrupted");
        }
    }

    @Test
    void requestsFailAfterClosing() throws Exception {
        try (FakeDecider decider = new FakeDecider(serving, FakeDecider.json("200 OK", ALLOWED))) {
            WebhookAuthorizer webhook = webhook(decider.url(), LONG, 2);
            webhook.close();
            failure(webhook.authorize(REQUEST));
        }
    }

    @Test
    void anEndpointRequiresTls() {
        for (String url : List.of("http://localhost", "https:localhost", "https://u:SECRET@localhost")) {
            assertThatThrownBy(() -> new Endpoint(URI.create(url), () -> clientTls, null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .doesNotContain("SECRET");
        }
        assertThatThrownBy(() -> new WebhookAuthorizer.Settings(ReviewVersion.K8S_V1, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static WebhookAuthorizer webhook(URI url, Duration deadline, int attempts) {
        return webhook(new Endpoint(url, () -> clientTls, null), deadline, attempts);
    }

    /** Creates one that does not wait between attempts. */
    private static WebhookAuthorizer webhook(Endpoint endpoint, Duration deadline, int attempts) {
        return new WebhookAuthorizer(
                endpoint,
                new WebhookAuthorizer.Settings(ReviewVersion.K8S_V1, deadline),
                new Deciders.Timing(
                        new Backoff(Duration.ofMillis(1), 1, 0, attempts), System::nanoTime, () -> 0, _ -> {}));
    }

    private static String failure(@Nullable Decision decision) {
        assertThat(decision).isInstanceOf(Undecided.class);
        Undecided undecided = (Undecided) Objects.requireNonNull(decision);
        assertThat(undecided.cause()).isEqualTo(Decision.Cause.FAILED);
        assertThat(undecided.reason()).doesNotContain("\n", "javax.net", "java.io");
        return undecided.reason();
    }
}
