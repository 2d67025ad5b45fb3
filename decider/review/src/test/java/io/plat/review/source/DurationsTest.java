package io.plat.review.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "0, PT0S",
        "0s, PT0S",
        "5m, PT5M",
        "30s, PT30S",
        "1h30m, PT1H30M",
        "90m, PT1H30M",
        "100ms, PT0.1S",
        "1.5s, PT1.5S",
        "1.s, PT1S",
        ".5s, PT0.5S",
        "250us, PT0.00025S",
        "250µs, PT0.00025S",
        "7ns, PT0.000000007S",
        "1h0m0.5s, PT1H0.5S",
        "30s5m, PT5M30S",
        "2562047h, PT2562047H",
    })
    void isRead(String text, Duration duration) {
        assertThat(Durations.parse(text)).contains(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "m",
                "-5m",
                "+5m",
                "5 m",
                "5m ",
                "5d",
                "1w",
                "1h30",
                "5M",
                "s5",
                ".s",
                "1..5s",
                "1e3s",
                "∞",
                "2562048h",
                "99999999999999999999h"
            })
    void isRefused(String text) {
        assertThat(Durations.parse(text)).isEmpty();
    }

    @Test
    void aVeryLongTextIsRefusedAtOnce() {
        assertThat(Durations.parse("1s".repeat(100_000))).isEmpty();
    }
}
