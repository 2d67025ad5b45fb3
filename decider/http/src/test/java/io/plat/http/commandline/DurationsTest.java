package io.plat.http.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "0, PT0S, 0s",
        "0s, PT0S, 0s",
        "5m, PT5M, 5m",
        "30s, PT30S, 30s",
        "1h30m, PT1H30M, 1h30m",
        "90m, PT1H30M, 1h30m",
        "100ms, PT0.1S, 100ms",
        "1.5s, PT1.5S, 1.5s",
        "1.s, PT1S, 1s",
        ".5s, PT0.5S, 500ms",
        "250us, PT0.00025S, 250us",
        "250µs, PT0.00025S, 250us",
        "7ns, PT0.000000007S, 7ns",
        "1h0m0.5s, PT1H0.5S, 1h0.5s",
        "30s5m, PT5M30S, 5m30s",
        "2562047h, PT2562047H, 2562047h",
    })
    void isReadAndWritten(String text, Duration duration, String written) {
        assertThat(Durations.parse(text)).contains(duration);
        assertThat(Durations.format(duration)).isEqualTo(written);
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

    @Test
    void whateverIsWrittenIsReadBack() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            Duration any = Duration.ofNanos(random.nextLong(Long.MAX_VALUE) >> random.nextInt(63));
            assertThat(Durations.parse(Durations.format(any))).as("%s", any).contains(any);
        }
    }
}
