package io.plat.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.client.remote.RoundTrips;
import io.plat.http.metrics.ServerMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebhookMetersTest {
    private static final String EVALUATIONS = "apiserver_authorization_webhook_evaluations";

    private final ServerMetrics metrics = new ServerMetrics();

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void roundTripsAreCountedAndTimed() {
        RoundTrips meters = WebhookMeters.roundTrips(metrics.registry(), "default", false);
        meters.ended(RoundTrips.Result.SUCCESS, 60_000);
        meters.ended(RoundTrips.Result.TIMEOUT, 1);
        String duration =
                "apiserver_authorization_webhook_duration_seconds_bucket{name=\"default\",result=\"success\",le=";
        assertThat(metrics.text())
                .contains(EVALUATIONS + "_total{name=\"default\",result=\"success\"} 1.0")
                .contains(EVALUATIONS + "_total{name=\"default\",result=\"timeout\"} 1.0")
                .contains(duration + "\"5.0E-5\"} 0")
                .contains(duration + "\"1.0E-4\"} 1")
                .doesNotContain("fail_open");
    }

    @Test
    void failuresThatArePassedOnAreCounted() {
        RoundTrips meters = WebhookMeters.roundTrips(metrics.registry(), "first", true);
        meters.ended(RoundTrips.Result.SUCCESS, 1);
        meters.ended(RoundTrips.Result.ERROR, 1);
        assertThat(metrics.text())
                .contains(EVALUATIONS + "_fail_open_total{name=\"first\",result=\"error\"} 1.0")
                .contains(EVALUATIONS + "_fail_open_total{name=\"first\",result=\"timeout\"} 0.0")
                .doesNotContain("_fail_open_total{name=\"first\",result=\"success\"}");
    }
}
