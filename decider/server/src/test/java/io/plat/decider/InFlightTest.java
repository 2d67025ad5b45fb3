package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InFlightTest {
    private static final String REVIEW =
            "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":"
                    + "{\"user\":\"zoe\",\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\"}}}";

    @Test
    void excessRequestsAreRefusedAndOperatorsStillAnswered(@TempDir Path directory) throws IOException {
        try (TestingDecider decider = new TestingDecider(directory, "--max-requests-inflight=1");
                RawClient next = decider.connect();
                RawClient slow = hold(decider, next, "/", REVIEW)) {
            RawAnswer refused = next.postJson("/", REVIEW);
            assertThat(refused.code()).isEqualTo(429);
            assertThat(refused.status().reason().word()).isEqualTo("TooManyRequests");
            assertThat(refused.field("Retry-After")).contains("1");
            assertThat(refused.field("Decision-Id")).isPresent();
            assertThat(next.get("/readyz").code()).isEqualTo(200);
            assertThat(next.get("/metrics").text()).contains("http_requests_refused_total ");
            assertThat(slow.send(REVIEW.substring(1)).answer().code()).isEqualTo(200);
            await().until(() -> next.postJson("/", REVIEW).code() == 200);
        }
    }

    @Test
    void aDisconnectedClientReleasesItsPermit(@TempDir Path directory) throws IOException {
        try (TestingDecider decider = new TestingDecider(directory, "--max-requests-inflight=1");
                RawClient next = decider.connect()) {
            hold(decider, next, "/", REVIEW).close();
            await().until(() -> next.postJson("/", REVIEW).code() == 200);
        }
    }

    @ParameterizedTest
    @CsvSource({"/access/v1/evaluation, 400", "/check/version, 401"})
    void allFrontsShareTheLimit(String path, int otherwise, @TempDir Path directory) throws IOException {
        try (TestingDecider decider =
                        new TestingDecider(directory, "--max-requests-inflight=1", "--authzen", "--http-check");
                RawClient next = decider.connect()) {
            assertThat(next.postJson(path, "{}").code()).isEqualTo(otherwise);
            hold(decider, next, path, "{}").close();
        }
    }

    /**
     * Sends the beginning of a review that holds the only permit, so that another request is refused. One that has waited for long is
     * aborted for that request; then the next one is tried.
     */
    private static RawClient hold(TestingDecider decider, RawClient next, String path, String body) {
        return await().until(
                        () -> {
                            RawClient slow = decider.connect();
                            slow.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + REVIEW.length()
                                    + "\r\n\r\n{");
                            awaitInFlight(next);
                            boolean held = next.postJson(path, body).code() == 429;
                            if (!held) {
                                slow.close();
                            }
                            return held ? Optional.of(slow) : Optional.<RawClient>empty();
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until a request is in flight in addition to that for the metrics; otherwise the next one could take its permit. */
    private static void awaitInFlight(RawClient client) {
        await().until(() -> client.get("/metrics").text().contains("http_requests_in_flight 2.0"));
    }
}
