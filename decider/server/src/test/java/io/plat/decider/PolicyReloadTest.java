package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyReloadTest {
    private static final String REVIEW =
            "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":"
                    + "{\"user\":\"zoe\",\"resourceAttributes\":{\"namespace\":\"team-a\",\"verb\":\"get\",\"resource\":\"pods\"}}}";
    private static final String GRANT =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":"
                    + "{\"user\":\"zoe\",\"namespace\":\"team-a\",\"resource\":\"pods\"}}\n";

    private static RawAnswer review(RawClient client) {
        try {
            return client.postJson("/", REVIEW);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void changedPoliciesTakeEffectUnlessInvalid(@TempDir Path directory) throws IOException {
        try (TestingDecider decider = new TestingDecider(directory);
                RawClient client = decider.connect()) {
            RawAnswer before = review(client);
            assertThat(before.text()).contains("\"allowed\":false");
            replace(decider.policy, TestingDecider.ABAC + GRANT);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> review(client).text().contains("\"allowed\":true"));
            RawAnswer after = review(client);
            assertThat(after.field("Policy-Revision")).isNotEqualTo(before.field("Policy-Revision"));
            replace(decider.policy, "{broken\n");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> metric(client).contains("reloads_total{result=\"failure\",what=\"policy\"} 1.0"));
            assertThat(review(client).text()).contains("\"allowed\":true");
            assertThat(review(client).field("Policy-Revision")).isEqualTo(after.field("Policy-Revision"));
            assertThat(client.get("/readyz").text()).isEqualTo("ok");
            assertThat(client.get("/readyz?verbose").text()).contains("[+]policy-files ok: the files are invalid");
            assertThat(metric(client)).contains("policy_last_reload_successful 0.0");
            Files.writeString(decider.policy, TestingDecider.ABAC);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> metric(client).contains("policy_last_reload_successful 1.0"));
            assertThat(client.get("/readyz?verbose").text()).doesNotContain("policy-files");
        }
    }

    @Test
    void withoutWatchThePolicyOfTheStartRemains(@TempDir Path directory) throws IOException {
        try (TestingDecider decider = new TestingDecider(directory, "--policy-reload=restart");
                RawClient client = decider.connect()) {
            Files.writeString(decider.policy, TestingDecider.ABAC + GRANT);
            await().during(Duration.ofMillis(600))
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> review(client).text().contains("\"allowed\":false"));
        }
    }

    private static void replace(Path file, String text) throws IOException {
        Path fresh = Files.writeString(file.resolveSibling(".fresh"), text);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String metric(RawClient client) {
        try {
            return client.get("/metrics").text();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
