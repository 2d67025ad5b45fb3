package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A decider that delegates to another one. */
class DelegationTest {
    private static String review(String user) {
        return "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\""
                + user
                + "\",\"resourceAttributes\":{\"namespace\":\"team-a\",\"verb\":\"delete\",\"resource\":\"pods\"}}}";
    }

    private static Path directory(Path parent, String name) throws IOException {
        return Files.createDirectory(parent.resolve(name));
    }

    static Path config(TestingDecider remote, Path directory) throws IOException {
        remote.pki.writeClient(directory, "delegating");
        return Files.writeString(
                directory.resolve("remote.yaml"), """
                clusters:
                - name: remote
                  cluster:
                    server: https://127.0.0.1:%d/authorize
                    certificate-authority: delegating-ca.crt
                users:
                - name: me
                  user:
                    client-certificate: delegating.crt
                    client-key: delegating.key
                contexts:
                - name: webhook
                  context: {cluster: remote, user: me}
                current-context: webhook
                """.formatted(remote.address().getPort()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"authorization.plat.io/v1beta1", "authorization.k8s.io/v1", "authorization.k8s.io/v1beta1"})
    void theRemoteDeciderDecides(String version, @TempDir Path parent) throws IOException {
        Path near = directory(parent, "near");
        try (TestingDecider remote = new TestingDecider(directory(parent, "far"));
                TestingDecider decider = new TestingDecider(
                        near,
                        "--authorization-mode=Webhook",
                        "--authorization-webhook-version=" + version,
                        "--authorization-webhook-config-file=" + config(remote, near));
                RawClient client = decider.connect()) {
            RawAnswer allowed = client.postJson("/", review("alice"));
            assertThat(allowed.code()).as(allowed.text()).isEqualTo(200);
            assertThat(allowed.text()).contains("\"allowed\":true");
            assertThat(client.postJson("/", review("bob")).text()).contains("\"allowed\":false");
            assertThat(client.get("/metrics").text())
                    .contains(
                            "apiserver_authorization_decisions_total{decision=\"denied\",name=\"default\",type=\"Webhook\"} 1.0");
        }
    }

    @Test
    void aFailingRemoteDeciderIsAFailure(@TempDir Path parent) throws IOException {
        Path near = directory(parent, "near");
        TestingDecider remote = new TestingDecider(directory(parent, "far"));
        Path config = config(remote, near);
        remote.close();
        try (TestingDecider decider = new TestingDecider(
                        near,
                        "--authorization-mode=Webhook",
                        "--authorization-webhook-timeout=200ms",
                        "--authorization-webhook-config-file=" + config);
                RawClient client = decider.connect()) {
            RawAnswer failed = client.postJson("/", review("alice"));
            assertThat(failed.code()).isEqualTo(500);
            assertThat(failed.status().reason().word()).isEqualTo("InternalError");
            assertThat(failed.text()).doesNotContain("\"allowed\"");
        }
    }

    @Test
    void anAllowOutweighsAFailure(@TempDir Path parent) throws IOException {
        Path near = directory(parent, "near");
        TestingDecider remote = new TestingDecider(directory(parent, "far"));
        Path config = config(remote, near);
        remote.close();
        Path policy = Files.writeString(near.resolve("policy.jsonl"), TestingDecider.ABAC);
        try (TestingDecider decider = new TestingDecider(
                        near,
                        "--authorization-mode=Webhook,ABAC",
                        "--authorization-policy-file=" + policy,
                        "--authorization-webhook-timeout=200ms",
                        "--authorization-webhook-config-file=" + config);
                RawClient client = decider.connect()) {
            assertThat(client.postJson("/", review("alice")).text()).contains("\"allowed\":true");
            assertThat(client.postJson("/", review("bob")).code()).isEqualTo(500);
        }
    }
}
