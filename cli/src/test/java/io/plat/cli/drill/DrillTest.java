package io.plat.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.cli.CommandRun;
import io.plat.cli.ScriptedServer;
import io.plat.cli.ScriptedServer.RecordedRequest;
import io.plat.cli.ScriptedServer.Reply;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.webhook.CachingAuthorizer;
import io.plat.engine.webhook.WebhookAuthorizer;
import io.plat.engine.webhook.WebhookMode;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.tls.ReloadListener;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code plat drill} with correct and faulty servers. */
final class DrillTest {
    private static final String ANSWER =
            "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\",\"status\":{\"allowed\":%b}}";

    @TempDir
    private Path directory = Path.of("");

    private CommandRun sendTo(Function<RecordedRequest, Reply> decider, String... more) throws Exception {
        try (ScriptedServer server = new ScriptedServer(directory, decider)) {
            List<String> arguments = new ArrayList<>(List.of("drill", server.url(), "--wait=300ms"));
            arguments.addAll(List.of(more));
            arguments.addAll(List.of(server.with()));
            arguments.removeIf(argument -> argument.startsWith("--server="));
            return CommandRun.plat(arguments.toArray(String[]::new));
        }
    }

    @Test
    void deciderThatDeniesPasses() throws Exception {
        CommandRun run = sendTo(requested -> Reply.created(ANSWER.formatted(false)));
        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.out()).startsWith("FAULT ").endsWith("all closed\n").contains("two-lengths", "no-certificate");
    }

    @ParameterizedTest
    @CsvSource({
        "'\"denied\":false}', status-of-the-client",
        "TokenReview, wrong-kind",
        "'\"group\":[', groups-of-another-version",
    })
    void deciderThatTrustsItsClientFailsOpen(String believed, String fault) throws Exception {
        CommandRun run = sendTo(
                requested -> Reply.created(ANSWER.formatted(requested.body().contains(believed.replace("\\", "")))),
                "-o",
                "json");
        assertThat(run.status()).as(run.toString()).isEqualTo(1);
        String json = run.out().replaceAll("[ \n]", "");
        assertThat(json).contains("{\"fault\":\"" + fault + "\",\"outcome\":\"open\"");
        assertThat(json.split("\"open\"", -1)).hasSize(2);
    }

    @Test
    void deciderThatTrustsHeadersFailsOpen() throws Exception {
        CommandRun run = sendTo(
                requested -> Reply.created(ANSWER.formatted(requested.fields().containsKey("Impersonate-user"))));
        assertThat(run.out()).containsPattern("impersonation +open").contains("1 open");
    }

    @Test
    void failedControlsAreInconclusive() throws Exception {
        CommandRun allowing = sendTo(requested -> Reply.created(ANSWER.formatted(true)));
        assertThat(allowing.status()).isEqualTo(3);
        assertThat(allowing.out()).isEmpty();
        assertThat(allowing.err()).contains("allows every user everything");
        assertThat(sendTo(requested -> Reply.refusal(403, "Forbidden", "no")).err())
                .contains("refused a valid review before the faults were injected: HTTP/1.1 403");
        assertThat(CommandRun.plat("drill", "https://localhost:1").err()).contains("did not answer");
    }

    /** A server whose GETs are decided by a webhook at a port. */
    private CommandRun probe(Function<Authorizer, Reply> server, String... more) throws Exception {
        int port = freePort();
        try (ScriptedServer probed = new ScriptedServer(directory, new Delegating(directory, port, server))) {
            List<String> arguments = new ArrayList<>(List.of(
                    "drill",
                    "--listen=127.0.0.1:" + port,
                    "--dir=" + directory,
                    "--probe=" + probed.url(),
                    "--wait=10s"));
            arguments.addAll(List.of(more));
            arguments.addAll(List.of(probed.with()));
            arguments.removeIf(argument -> argument.startsWith("--server="));
            return CommandRun.plat(arguments.toArray(String[]::new));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    /** Sends each request to the webhook, with the engine's mode. */
    private record Delegating(Path directory, int port, Function<Authorizer, Reply> server)
            implements Function<RecordedRequest, Reply> {
        @Override
        public Reply apply(RecordedRequest requested) {
            try {
                Path file = Files.writeString(directory.resolve("webhook.conf"), """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: w, cluster: {certificate-authority: ca.crt, server: "https://localhost:%d/authorize"}}]
                    users: [{name: me, user: {client-certificate: me.crt, client-key: me.key}}]
                    contexts: [{name: w, context: {cluster: w, user: me}}]
                    current-context: w
                    """.formatted(port));
                var choices = new WebhookMode.Options(
                        file,
                        new WebhookAuthorizer.Settings(ReviewVersion.K8S_V1, Duration.ofMillis(250)),
                        new CachingAuthorizer.Settings(Duration.ZERO, Duration.ZERO));
                try (WebhookMode mode = WebhookMode.open(choices, ReloadListener.none(), InstantSource.system())) {
                    return server.apply(attributes -> mode.authorizer().authorize(attributes));
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private static Decision decide(Authorizer webhook) {
        return webhook.authorize(
                new Attributes(new UserInfo("me", List.of()), new NonResourceAttributes("/drill", "get")));
    }

    @Test
    void serverWithTheEnginesWebhookFailsClosed() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        // Every fifth request is not sent, as on a busy machine.
        CommandRun run =
                probe(webhook -> requests.incrementAndGet() % 5 != 0 && decide(webhook) instanceof Decision.Allow
                        ? Reply.refusal(404, "NotFound", "no")
                        : Reply.refusal(403, "Forbidden", "no"));
        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.out())
                .endsWith("all closed\n")
                .contains("allowed-with-denied", "wrong-san", "redirect", "oversized-body")
                .doesNotContain("not asked");
    }

    @Test
    void serverThatFailsOpenIsDetected() throws Exception {
        CommandRun run = probe(
                webhook -> switch (decide(webhook)) {
                    case Decision.Allow allow -> new Reply(200, "{}");
                    case Decision.Undecided undecided -> new Reply(200, "{}");
                    case Decision.Deny deny -> Reply.refusal(403, "Forbidden", "no");
                    case Decision.NoOpinion none -> Reply.refusal(403, "Forbidden", "no");
                },
                "-o",
                "json");
        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(run.out().split("\"open\"", -1).length).isGreaterThan(25);
    }

    @Test
    void serverThatIgnoresItsWebhookIsInconclusive() throws Exception {
        CommandRun deaf = probe(webhook -> new Reply(200, "{}"));
        assertThat(deaf.status()).isEqualTo(3);
        assertThat(deaf.err()).contains("allows a request that its webhook did not receive");
        CommandRun mute = probe(webhook -> Reply.refusal(403, "Forbidden", "no"));
        assertThat(mute.status()).isEqualTo(3);
        assertThat(mute.err()).contains("refuses a request that its webhook did not receive");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        drill                                            | missing URL of a decider, or --listen with --probe
        drill https://x --listen a:1 --probe https://y   | --listen: cannot be combined with the URL of a decider
        drill --listen a:1                               | --listen, --probe
        drill https://x --probe https://y                | --listen, --probe
        drill --listen a:1 --probe https://y             | --dir: required
        drill https://x --wait soon --certificate-authority=/dev/null | --wait
        drill http://x                                   | --server
        """)
    void contradictoryArgumentsAreRefused(String words, String message) {
        CommandRun run = CommandRun.plat(words.split(" +"));
        assertThat(run.status()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }

    @Test
    void unusableAddressOrAuthorityIsReported() {
        assertThat(CommandRun.plat("drill", "--listen=nowhere", "--dir=" + directory, "--probe=https://localhost:1")
                        .status())
                .isEqualTo(3);
        CommandRun.plat("pki", "init", "--dir", directory.toString());
        assertThat(CommandRun.plat("drill", "--listen=nowhere", "--dir=" + directory, "--probe=https://localhost:1")
                        .err())
                .contains("--listen: expected an address");
    }
}
