package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InFlightTest {
    private static final String REVIEW =
            "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":"
                    + "{\"user\":\"zoe\",\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\"}}}";

    @Test
    void excessRequestsAreRefusedAndOperatorsStillAnswered(@TempDir Path folder) throws IOException {
        try (TestingDecider decider = new TestingDecider(folder, "--max-requests-inflight=1");
                RawClient slow = decider.connect();
                RawClient next = decider.connect()) {
            hold(slow, next);
            await().until(() -> next.postJson("/", REVIEW).code() == 429);
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
    void aDisconnectedClientReleasesItsPermit(@TempDir Path folder) throws IOException {
        try (TestingDecider decider = new TestingDecider(folder, "--max-requests-inflight=1");
                RawClient next = decider.connect()) {
            try (RawClient gone = decider.connect()) {
                hold(gone, next);
                await().until(() -> next.postJson("/", REVIEW).code() == 429);
            }
            await().until(() -> next.postJson("/", REVIEW).code() == 200);
        }
    }

    @ParameterizedTest
    @CsvSource({"/access/v1/evaluation, 400", "/check/version, 401"})
    void allFrontsShareTheLimit(String path, int otherwise, @TempDir Path folder) throws IOException {
        try (TestingDecider decider =
                        new TestingDecider(folder, "--max-requests-inflight=1", "--authzen", "--http-check");
                RawClient slow = decider.connect();
                RawClient next = decider.connect()) {
            assertThat(next.postJson(path, "{}").code()).isEqualTo(otherwise);
            hold(slow, next);
            await().until(() -> next.postJson(path, "{}").code() == 429);
        }
    }

    /**
     * Sends the beginning of a review, and waits until it is in flight beside a request for the metrics: before, the next one could take its place. The
     * first request for the metrics may take longer than the review keeps its permit.
     */
    private static void hold(RawClient slow, RawClient next) throws IOException {
        assertThat(next.get("/metrics").code()).isEqualTo(200);
        slow.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + REVIEW.length() + "\r\n\r\n{");
        await().until(() -> next.get("/metrics").text().contains("http_requests_in_flight 2.0"));
    }
}
