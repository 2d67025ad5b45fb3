package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code GET /revisions} of a decider. */
class RevisionsTest {
    /** A client that reads a stream line by line. */
    private static final class Following implements AutoCloseable {
        private final HttpClient client;
        private final HttpResponse<InputStream> answer;
        private final BufferedReader lines;

        Following(TestingDecider decider) throws IOException, InterruptedException {
            client = HttpClient.newBuilder()
                    .sslContext(decider.pki.client("alice", "developers"))
                    .build();
            URI url = URI.create("https://localhost:" + decider.address().getPort() + "/revisions");
            answer = client.send(
                    HttpRequest.newBuilder(url).timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofInputStream());
            lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.US_ASCII));
        }

        /** Returns the next revision, without heartbeats. */
        String next() throws IOException {
            String line = lines.readLine();
            while (!line.startsWith("data: ")) {
                assertThat(line).matches(":|id: \\S+|");
                line = lines.readLine();
            }
            return line.substring("data: ".length());
        }

        void leave() {
            client.shutdownNow();
        }

        @Override
        public void close() {
            leave();
        }
    }

    private static void change(TestingDecider decider, String more) throws IOException {
        Path written = Files.writeString(decider.directory.resolve("new"), TestingDecider.ABAC + more);
        Files.move(written, decider.policy, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String revision(RawClient client) throws IOException {
        return client.get("/version").field("Policy-Revision").orElseThrow();
    }

    @Test
    void theRevisionIsSentNowAndAtEachChange(@TempDir Path directory) throws Exception {
        try (TestingDecider decider = new TestingDecider(directory, "--max-requests-inflight=1");
                RawClient client = decider.connect();
                Following first = new Following(decider);
                Following second = new Following(decider)) {
            assertThat(first.answer.statusCode()).isEqualTo(200);
            assertThat(first.answer.headers().firstValue("Content-Type")).contains("text/event-stream");
            assertThat(first.next()).isEqualTo(revision(client)).isEqualTo(second.next());
            for (String more : new String[] {"\n", "", "\n"}) {
                change(decider, more);
                String next = first.next();
                assertThat(next).isEqualTo(second.next());
                assertThat(revision(client)).isEqualTo(next);
            }
            assertThat(client.get("/metrics").text()).contains("policy_revision_subscribers 2.0");
            assertThat(client.postJson("/", "{}").code())
                    .as("streams do not count as requests in flight")
                    .isEqualTo(400);
            second.leave();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> client.get("/metrics").text().contains("policy_revision_subscribers 1.0"));
        }
    }

    @Test
    void streamsEndOnShutdown(@TempDir Path directory) throws Exception {
        TestingDecider decider = new TestingDecider(directory);
        try (Following following = new Following(decider)) {
            following.next();
            long begin = System.nanoTime();
            decider.close();
            String line = following.lines.readLine();
            while (line != null) {
                assertThat(line).matches(":?");
                line = following.lines.readLine();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
        }
    }

    @Test
    void otherClientsAreForbidden(@TempDir Path directory) throws Exception {
        try (TestingDecider decider = new TestingDecider(directory, "--allowed-client-names=bob");
                RawClient client = decider.connect()) {
            assertThat(client.get("/revisions").code()).isEqualTo(403);
        }
    }

    @Test
    void onlyGetIsAllowed(@TempDir Path directory) throws Exception {
        try (TestingDecider decider = new TestingDecider(directory);
                RawClient client = decider.connect()) {
            RawAnswer refused = client.post("/revisions", "");
            assertThat(refused.code()).isEqualTo(405);
            assertThat(refused.field("Allow")).contains("GET");
            assertThat(client.get("/revisions/x").code()).isEqualTo(404);
        }
    }

    /** A decider that delegates to another one changes its revision when that one does. */
    @Test
    void changesOfTheRemoteDeciderAreSent(@TempDir Path parent) throws Exception {
        Path near = Files.createDirectory(parent.resolve("near"));
        try (TestingDecider remote = new TestingDecider(Files.createDirectory(parent.resolve("far")));
                TestingDecider decider = new TestingDecider(
                        near,
                        "--authorization-mode=Webhook",
                        "--authorization-webhook-config-file=" + DelegationTest.config(remote, near));
                RawClient client = decider.connect();
                Following following = new Following(decider)) {
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> client.get("/metrics")
                            .text()
                            .contains("authorization_webhook_revision_stream_connected 1.0"));
            String before = revision(client);
            String event = following.next();
            while (!event.equals(before)) {
                event = following.next();
            }
            change(remote, "\n");
            assertThat(following.next()).isNotEqualTo(before).isEqualTo(revision(client));
        }
    }
}
