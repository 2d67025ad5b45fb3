package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import io.plat.http.testing.TestingPki;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Access to the stream of decisions, its events, and the policy as a whole. */
@Timeout(30)
class LiveDecisionsTest {
    private static final String K8S = "/apis/authorization.k8s.io/v1/";
    private static final String REVIEW =
            "{\"spec\":{\"user\":\"zoe\",\"uid\":\"secret-uid\",\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\",\"namespace\":\"team-a\"}}}";

    private static TestingDecider decider;

    @BeforeAll
    static void start(@TempDir Path directory) {
        decider = new TestingDecider(
                directory,
                "--explain-client-names=alice",
                "--decision-log-path=" + directory.resolve("decisions.log"),
                "--decision-log-mask=uid");
    }

    @AfterAll
    static void stop() {
        decider.close();
    }

    @Test
    void decisionsAreStreamedWithTheMasksOfTheLog() throws Exception {
        try (HttpClient http = client(decider.pki);
                RawClient bob = decider.connect(decider.pki.client("bob"))) {
            HttpResponse<InputStream> stream = http.send(
                    HttpRequest.newBuilder(URI.create(
                                    "https://localhost:" + decider.address().getPort() + "/decisions"))
                            .build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            assertThat(stream.statusCode()).isEqualTo(200);
            assertThat(stream.headers().firstValue("Content-Type")).contains("text/event-stream");
            try (BufferedReader events =
                    new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                assertThat(events.readLine()).isEqualTo(":");
                bob.postJson(K8S + "subjectaccessreviews", REVIEW);
                String line = Objects.requireNonNull(events.readLine());
                while (!line.startsWith("data: ")) {
                    line = Objects.requireNonNull(events.readLine());
                }
                assertThat(line)
                        .contains("\"client\":\"bob\"", "\"user\":\"zoe\"", "\"allowed\":false", "No policy matched.")
                        .doesNotContain("secret-uid", "shadow");
            }
        }
    }

    private static HttpClient client(TestingPki pki) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(pki.client("alice"))
                .build();
    }

    @Test
    void clientsWithoutExplanationsAreRefused() throws IOException {
        try (RawClient bob = decider.connect(decider.pki.client("bob"))) {
            for (String path : new String[] {"accesschanges", "policytexts"}) {
                RawAnswer refused = bob.postJson(K8S + path, "{\"spec\":{\"lines\":\"\"}}");
                assertThat(refused.code()).isEqualTo(403);
                assertThat(refused.text()).doesNotContain("alice", "developers");
            }
            RawAnswer stream = bob.get("/decisions");
            assertThat(stream.code()).isEqualTo(403);
        }
    }

    @Test
    void allowedClientsReceivePolicyAndPreviews() throws IOException {
        try (RawClient alice = decider.connect()) {
            RawAnswer text = alice.postJson(K8S + "policytexts", "{}");
            assertThat(text.code()).isEqualTo(201);
            assertThat(text.text())
                    .contains("\"lines\":\"{\\\"apiVersion\\\"", "developers")
                    .doesNotContain("manifests");
            RawAnswer change = alice.postJson(K8S + "accesschanges", "{\"spec\":{\"lines\":\"\"}}");
            assertThat(change.code()).isEqualTo(201);
            assertThat(change.text())
                    .contains("\"granted\":[]", "\"name\":\"alice\"", "\"text\":\"get, list, watch /version\"")
                    .contains("\"everybody\":true");
            assertThat(alice.postJson(K8S + "accesschanges", "{\"spec\":{\"lines\":\"{}\"}}")
                            .code())
                    .isEqualTo(422);
            assertThat(alice.postJson("/decisions", "{}").code()).isEqualTo(405);
        }
    }
}
