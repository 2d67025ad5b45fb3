package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Explanation endpoints: allowed clients, refusals and the limit on concurrent requests. */
class ExplanationsTest {
    private static final String K8S = "/apis/authorization.k8s.io/v1/";
    private static final String REVIEW =
            "{\"spec\":{\"user\":\"bob\",\"resourceAttributes\":{\"namespace\":\"team-a\",\"verb\":\"get\",\"resource\":\"pods\"}}}";

    private static TestingDecider decider;

    @BeforeAll
    static void start(@TempDir Path directory) {
        decider = new TestingDecider(directory, "--explain-client-names=alice");
    }

    @AfterAll
    static void stop() {
        decider.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"authorization.k8s.io/v1", "authorization.k8s.io/v1beta1", "authorization.plat.io/v1beta1"})
    void everyVersionIsAnsweredInItsOwnForm(String version) throws IOException {
        try (RawClient alice = decider.connect()) {
            RawAnswer explained = alice.postJson("/apis/" + version + "/accessexplanations", REVIEW);
            assertThat(explained.code()).isEqualTo(201);
            assertThat(explained.text())
                    .contains("\"kind\":\"AccessExplanation\",\"apiVersion\":\"" + version + "\"")
                    .contains("\"allowed\":false", "\"lacks\":[\"user\"]", "\"suggestion\":{\"authorizer\":\"ABAC\"");
            assertThat(explained.field("Decision-Id")).isPresent();
            assertThat(explained.field("Policy-Revision")).isPresent();
            RawAnswer listed = alice.postJson("/apis/" + version + "/subjectlistings", REVIEW);
            assertThat(listed.code()).isEqualTo(201);
            assertThat(listed.text())
                    .contains("\"kind\":\"SubjectListing\"", "\"name\":\"alice\"", "\"name\":\"developers\"")
                    .doesNotContain("\"user\":\"bob\"");
        }
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"spec":{}}                                                              | 422
            {"spec":{"user":"u","nonResourceAttributes":{},"resourceAttributes":{}}} | 422
            {"kind":"SubjectAccessReview","spec":{}}                                 | 400
            {"apiVersion":"authorization.k8s.io/v1beta1","spec":{}}                  | 400
            {"spec":                                                                 | 400
            []                                                                       | 400
            """)
    void emptyRequestsAreRefusedLikeReviews(String body, int code) throws IOException {
        try (RawClient alice = decider.connect()) {
            assertThat(alice.postJson(K8S + "accessexplanations", body).code()).isEqualTo(code);
            assertThat(alice.postJson(K8S + "subjectlistings", body).code()).isEqualTo(code);
        }
    }

    @Test
    void largeBodiesAndOtherMethodsAreRefused() throws IOException {
        try (RawClient alice = decider.connect()) {
            RawAnswer got = alice.get(K8S + "accessexplanations");
            assertThat(got.code()).isEqualTo(405);
            assertThat(got.field("Allow")).contains("POST");
            assertThat(alice.send(
                                    "POST " + K8S
                                            + "accessexplanations HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\n")
                            .answer()
                            .code())
                    .isEqualTo(413);
        }
    }

    @Test
    void unnamedClientsReceiveReasonsButNoExplanations() throws IOException {
        try (RawClient bob = decider.connect(decider.pki.client("bob", "alice"))) {
            for (String type : new String[] {"accessexplanations", "subjectlistings"}) {
                RawAnswer refused = bob.postJson(K8S + type, REVIEW);
                assertThat(refused.code()).isEqualTo(403);
                assertThat(refused.status().message())
                        .isEqualTo("client \"bob\" may not request explanations from this decider");
            }
            assertThat(bob.postJson(K8S + "subjectaccessreviews", REVIEW).text())
                    .contains("No policy matched.");
        }
    }

    @Test
    void concurrencyIsLimitedWithoutAffectingReviews() throws IOException {
        List<RawClient> slow = new ArrayList<>();
        try (RawClient next = decider.connect()) {
            // A request that has waited for long is aborted for the next one, so another one is needed.
            await().until(() -> {
                RawClient client = decider.connect();
                slow.add(client);
                client.send(
                        "POST " + K8S + "subjectlistings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
                return next.postJson(K8S + "accessexplanations", REVIEW).code() == 429;
            });
            assertThat(next.postJson(K8S + "subjectaccessreviews", REVIEW).code())
                    .isEqualTo(201);
            await("incomplete requests are aborted")
                    .until(() ->
                            next.postJson(K8S + "accessexplanations", REVIEW).code() == 201);
        } finally {
            for (RawClient client : slow) {
                client.close();
            }
        }
    }
}
