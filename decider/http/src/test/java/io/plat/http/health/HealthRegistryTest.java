package io.plat.http.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.http.health.HealthRegistry.Endpoint;
import java.util.List;
import org.junit.jupiter.api.Test;

class HealthRegistryTest {
    private boolean loaded;
    private final HealthRegistry health = new HealthRegistry();

    HealthRegistryTest() {
        health.live("log", () -> "");
        health.ready("policy", () -> loaded ? "" : "not loaded yet");
    }

    @Test
    void aFailingCheckIsNamedWithoutTheReason() {
        assertThat(health.answer(Endpoint.READYZ, false, List.of()))
                .isEqualTo(new HealthRegistry.HealthResponse(500, """
                                [+]ping ok
                                [+]log ok
                                [-]policy failed: reason withheld
                                readyz check failed
                                """));
    }

    @Test
    void successIsOkUnlessVerbose() {
        loaded = true;
        assertThat(health.answer(Endpoint.READYZ, false, List.of()))
                .isEqualTo(new HealthRegistry.HealthResponse(200, "ok"));
        assertThat(health.answer(Endpoint.READYZ, true, List.of()))
                .isEqualTo(new HealthRegistry.HealthResponse(200, """
                                [+]ping ok
                                [+]log ok
                                [+]policy ok
                                readyz check passed
                                """));
    }

    @Test
    void livenessDoesNotDependOnReadiness() {
        assertThat(health.answer(Endpoint.LIVEZ, true, List.of()).text())
                .isEqualTo("[+]ping ok\n[+]log ok\nlivez check passed\n");
        assertThat(health.answer(Endpoint.HEALTHZ, false, List.of()).code()).isEqualTo(500);
    }

    @Test
    void checksHaveAliases() {
        health.alias("rules", "policy");
        assertThat(health.answer(Endpoint.LIVEZ, "rules").code()).isEqualTo(500);
        assertThat(health.answer(Endpoint.READYZ, true, List.of("rules")).text())
                .isEqualTo("[+]ping ok\n[+]log ok\n[+]policy excluded: ok\nreadyz check passed\n");
        assertThat(health.answer(Endpoint.LIVEZ, false, List.of("rules")).text())
                .isEqualTo("ok");
        loaded = true;
        assertThat(health.answer(Endpoint.READYZ, "rules")).isEqualTo(new HealthRegistry.HealthResponse(200, "ok"));
        assertThat(health.names(Endpoint.READYZ)).containsExactly("ping", "log", "policy");
    }

    @Test
    void excludedChecksAreNotCalled() {
        assertThat(health.answer(Endpoint.READYZ, true, List.of("policy", "nosuch", "policy")))
                .isEqualTo(new HealthRegistry.HealthResponse(200, """
                                [+]ping ok
                                [+]log ok
                                [+]policy excluded: ok
                                warn: some health checks cannot be excluded: no matches for "nosuch"
                                readyz check passed
                                """));
    }

    @Test
    void anEmptyNameExcludesNothing() {
        loaded = true;
        assertThat(health.answer(Endpoint.LIVEZ, true, List.of("")).text())
                .isEqualTo("[+]ping ok\n[+]log ok\nlivez check passed\n");
    }

    @Test
    void singleChecksAreRequestedByName() {
        assertThat(health.answer(Endpoint.READYZ, "ping")).isEqualTo(new HealthRegistry.HealthResponse(200, "ok"));
        assertThat(health.answer(Endpoint.READYZ, "policy"))
                .isEqualTo(new HealthRegistry.HealthResponse(500, "internal server error: not loaded yet\n"));
        assertThat(health.answer(Endpoint.LIVEZ, "policy").code()).isEqualTo(404);
        assertThat(health.answer(Endpoint.READYZ, "nosuch").code()).isEqualTo(404);
    }

    @Test
    void namesAreUnique() {
        assertThatThrownBy(() -> health.live("ping", HealthRegistry.HealthCheck.PING))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
