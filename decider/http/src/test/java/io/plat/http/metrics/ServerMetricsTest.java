package io.plat.http.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tls.LoadedCertificate;
import io.plat.tls.pem.PemException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerMetricsTest {
    private final ServerMetrics metrics = new ServerMetrics();

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void requestsAreTimedInBucketsFromFiftyMicroseconds() {
        metrics.requestBegan();
        metrics.requestBegan();
        metrics.requestEnded("POST", 200, 60_000);
        assertThat(metrics.requestsInFlight()).isEqualTo(1);
        assertThat(metrics.text())
                .contains("http_requests_in_flight 1.0")
                .contains("http_request_duration_seconds_bucket{code=\"200\",method=\"POST\",le=\"5.0E-5\"} 0")
                .contains("http_request_duration_seconds_bucket{code=\"200\",method=\"POST\",le=\"1.0E-4\"} 1")
                .contains("http_request_duration_seconds_count{code=\"200\",method=\"POST\"} 1");
    }

    @Test
    void whatClientsInventMakesNoSeries() {
        for (int i = 0; i < 1000; i++) {
            metrics.requestBegan();
            metrics.requestEnded("M" + i, -i, 1);
            metrics.requestBegan();
            metrics.requestEnded("M" + i, 100_000 + i, 1);
        }
        assertThat(metrics.text().lines().filter(line -> line.startsWith("http_request_duration_seconds_count")))
                .containsExactlyInAnyOrder(
                        "http_request_duration_seconds_count{code=\"100\",method=\"OTHER\"} 1000",
                        "http_request_duration_seconds_count{code=\"599\",method=\"OTHER\"} 1000");
    }

    @Test
    void theCertificateThatExpiresFirstCounts() {
        metrics.certificates(
                "client-ca",
                () -> List.of(
                        new LoadedCertificate("client-ca", "CN=a", "1", Instant.ofEpochSecond(2000)),
                        new LoadedCertificate("client-ca", "CN=b", "2", Instant.ofEpochSecond(1000)),
                        new LoadedCertificate("serving-certificate", "CN=c", "3", Instant.ofEpochSecond(10))));
        assertThat(metrics.text()).contains("tls_certificate_expiration_timestamp_seconds{what=\"client-ca\"} 1000.0");
    }

    @Test
    void reloadsAreCountedByOutcome() {
        metrics.certificateReloads().reloaded("serving-certificate");
        metrics.certificateReloads().kept("serving-certificate", new PemException("a.crt", "is empty"));
        metrics.certificateReloads().kept("serving-certificate", new PemException("a.crt", "is empty"));
        assertThat(metrics.text())
                .contains("reloads_total{result=\"success\",what=\"serving-certificate\"} 1.0")
                .contains("reloads_total{result=\"failure\",what=\"serving-certificate\"} 2.0");
    }
}
