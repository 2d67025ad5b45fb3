package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InFlightTest {
    private static final String REVIEW =
            "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":"
                    + "{\"user\":\"zoe\",\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\"}}}";

    @Test
    void excessRequestsAreRefusedAndOperatorsStillAnswered(@TempDir Path folder) throws IOException {
        try (TestingDecider decider = new TestingDecider(folder, "--max-requests-inflight=1");
                RawClient slow = decider.connect();
                RawClient next = decider.connect()) {
            slow.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + REVIEW.length() + "\r\n\r\n{");
            awaitInFlight(next);
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
                gone.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
                awaitInFlight(next);
                await().until(() -> next.postJson("/", REVIEW).code() == 429);
            }
            await().until(() -> next.postJson("/", REVIEW).code() == 200);
        }
    }

    /** Waits until another request is in flight beside that for the metrics: before, the next one could take its place. */
    private static void awaitInFlight(RawClient client) {
        await().until(() -> client.get("/metrics").text().contains("http_requests_in_flight 2.0"));
    }
}
