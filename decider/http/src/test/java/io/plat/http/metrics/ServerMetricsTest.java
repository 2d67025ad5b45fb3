package io.plat.http.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.metrics.PolicyMeters.InEffect;
import io.plat.tls.LoadedCertificate;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
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
    void collectionsOfGarbageAreCountedAndTimed() {
        System.gc();
        List<String> lines = metrics.text().lines().toList();
        assertThat(lines)
                .anyMatch(line -> line.matches("jvm_gc_pause_seconds_count\\{gc=\"[^\"]+\"} [1-9]\\d*"))
                .anyMatch(line -> line.matches("jvm_gc_pause_seconds_sum\\{gc=\"[^\"]+\"} \\d.*"))
                .anyMatch(line -> line.matches("jvm_gc_memory_allocated_bytes_total [1-9].*"));
    }

    @Test
    void clientInputCreatesNoSeries() {
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
        System.gc();
        assertThat(metrics.text()).contains("tls_certificate_expiration_timestamp_seconds{what=\"client-ca\"} 1000.0");
    }

    @Test
    void reloadsAreCountedByOutcome() {
        metrics.certificateReloads().reloaded("serving-certificate", "");
        metrics.certificateReloads().reloaded("serving-certificate", "a.crt: is empty");
        metrics.certificateReloads().reloaded("serving-certificate", "a.crt: is empty");
        assertThat(metrics.text())
                .contains("reloads_total{result=\"success\",what=\"serving-certificate\"} 1.0")
                .contains("reloads_total{result=\"failure\",what=\"serving-certificate\"} 2.0");
    }

    @Test
    void onlyThePolicyInEffectIsShown() {
        AtomicReference<InEffect> policy =
                new AtomicReference<>(new InEffect("a-1", Instant.ofEpochSecond(100), 1, 2, 3, false));
        PolicyMeters.show(metrics, policy::get);
        System.gc();
        assertThat(metrics.text())
                .contains("policy_info{revision=\"a-1\"} 1")
                .contains("policy_loaded_timestamp_seconds 100.0")
                .contains("policy_objects{kind=\"abac_line\"} 1.0")
                .contains("policy_objects{kind=\"role\"} 2.0")
                .contains("policy_objects{kind=\"binding\"} 3.0");
        policy.set(new InEffect("b-2", Instant.now(), 0, 0, 0, true));
        assertThat(metrics.text())
                .contains("policy_info{revision=\"b-2\"} 1")
                .doesNotContain("a-1")
                .containsPattern("policy_age_seconds [0-9.]+\n");
    }
}
