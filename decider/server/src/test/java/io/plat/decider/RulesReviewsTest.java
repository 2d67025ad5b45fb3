package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of the client's own user: available to every allowed client, in every version. */
class RulesReviewsTest {
    private static final String K8S = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
    private static final String REVIEW = "{\"spec\":{\"namespace\":\"team-a\"}}";

    private static TestingDecider decider;

    @BeforeAll
    static void start(@TempDir Path directory) {
        decider = new TestingDecider(directory, "--reasons=none", "--explain-client-names=somebody-else");
    }

    @AfterAll
    static void stop() {
        decider.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"authorization.k8s.io/v1", "authorization.k8s.io/v1beta1", "authorization.plat.io/v1beta1"})
    void everyVersionIsAnsweredInItsOwnForm(String version) throws IOException {
        try (RawClient alice = decider.connect()) {
            RawAnswer answer = alice.postJson("/apis/" + version + "/selfsubjectrulesreviews", REVIEW);
            assertThat(answer.code()).isEqualTo(201);
            assertThat(answer.text())
                    .contains("\"kind\":\"SelfSubjectRulesReview\",\"apiVersion\":\"" + version + "\"")
                    .contains("\"verbs\":[\"*\"]", "\"resources\":[\"pods", "\"incomplete\":false")
                    .contains("\"nonResourceURLs\":[\"/version\"]");
            assertThat(answer.field("Policy-Revision")).isPresent();
            assertThat(answer.field("Cache-Control")).contains("no-cache, private");
        }
    }

    @Test
    void rulesAreThoseOfTheClient() throws IOException {
        try (RawClient bob = decider.connect(decider.pki.client("bob", "developers"))) {
            String response = bob.send("POST " + K8S
                            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Impersonate-User: alice\r\nContent-Length: " + REVIEW.length() + "\r\n\r\n" + REVIEW)
                    .answer()
                    .text();
            assertThat(response)
                    .contains("\"resources\":[\"pods", "\"get\"")
                    .doesNotContain("\"verbs\":[\"*\"],\"apiGroups\":[\"\"]");
        }
        try (RawClient carol = decider.connect(decider.pki.client("carol"))) {
            assertThat(carol.postJson(K8S, REVIEW).text()).contains("\"resourceRules\":[]", "/version");
        }
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"spec":{}}                                                 | 400
            {"kind":"SubjectAccessReview","spec":{"namespace":"a"}}     | 400
            {"apiVersion":"v1","spec":{"namespace":"a"}}                | 400
            {"spec":                                                    | 400
            []                                                          | 400
            {"spec":{"namespace":"a"}} x                                | 400
            """)
    void emptyRequestsAreRefused(String body, int code) throws IOException {
        try (RawClient alice = decider.connect()) {
            assertThat(alice.postJson(K8S, body).code()).isEqualTo(code);
        }
    }

    @Test
    void otherMethodsAndLargeBodiesAreRefused() throws IOException {
        try (RawClient alice = decider.connect()) {
            assertThat(alice.get(K8S).code()).isEqualTo(405);
            assertThat(alice.send("POST " + K8S + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\n")
                            .answer()
                            .code())
                    .isEqualTo(413);
        }
    }
}
