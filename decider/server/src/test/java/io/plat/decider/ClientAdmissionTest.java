package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Allowed clients, refused clients, and clients that receive no byte of HTTP. */
class ClientAdmissionTest {
    private static TestingDecider decider;

    @BeforeAll
    static void start(@TempDir Path directory) {
        decider = new TestingDecider(directory, "--allowed-client-names=alice,server.example", "--reasons=none");
    }

    @AfterAll
    static void stop() {
        decider.close();
    }

    private static final String REVIEW =
            "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":"
                    + "{\"user\":\"alice\",\"resourceAttributes\":{\"namespace\":\"team-a\",\"verb\":\"get\",\"resource\":\"pods\"}}}";

    @Test
    void commonNamesAndAlternativeNamesCount() throws IOException {
        try (RawClient byCommonName = decider.connect();
                RawClient byAlternative = decider.connect(decider.pki.clientAlsoCalled("someone", "server.example"))) {
            assertThat(byCommonName.postJson("/", REVIEW).code()).isEqualTo(200);
            assertThat(byAlternative.postJson("/", REVIEW).code()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/authorize", "/metrics", "/version", "/livez", "/nowhere", "/apis//x"})
    void otherClientsAreForbiddenEverywhere(String path) throws IOException {
        try (RawClient bob = decider.connect(decider.pki.client("bob", "alice"))) {
            RawAnswer answer = bob.postJson(path, REVIEW);
            assertThat(answer.code()).isEqualTo(403);
            assertThat(answer.status().message()).isEqualTo("client \"bob\" is not allowed to use this decider");
            assertThat(answer.field("Decision-Id")).isPresent();
            assertThat(answer.field("Policy-Revision")).isPresent();
        }
    }

    @Test
    void reasonsAreHidden() throws IOException {
        try (RawClient alice = decider.connect()) {
            RawAnswer allowed = alice.postJson("/", REVIEW);
            assertThat(allowed.text()).contains("\"allowed\":true").doesNotContain("reason", "policy.jsonl");
            RawAnswer denied = alice.postJson("/", REVIEW.replace("team-a", "team-b"));
            assertThat(denied.text()).contains("\"allowed\":false").doesNotContain("reason");
        }
    }

    @Test
    void untrustedClientsFailTheHandshake() {
        for (var stranger : List.of(
                decider.pki.clientOfAnotherAuthority(),
                decider.pki.clientWithoutCertificate(),
                decider.pki.serverAsClient())) {
            assertThatThrownBy(() -> {
                        try (RawClient client = decider.connect(stranger)) {
                            client.postJson("/", REVIEW);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }
}
