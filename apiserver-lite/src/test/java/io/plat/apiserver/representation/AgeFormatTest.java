package io.plat.apiserver.representation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeFormatTest {
    @ParameterizedTest
    @CsvSource({
        "PT-2S, <invalid>",
        "PT-1S, 0s",
        "PT0S, 0s",
        "PT119S, 119s",
        "PT2M, 2m",
        "PT2M5S, 2m5s",
        "PT9M59S, 9m59s",
        "PT10M30S, 10m",
        "PT179M, 179m",
        "PT3H, 3h",
        "PT3H7M, 3h7m",
        "PT8H59M, 8h",
        "PT47H, 47h",
        "P2D, 2d",
        "P2DT5H, 2d5h",
        "P8DT5H, 8d",
        "P729D, 729d",
        "P730D, 2y",
        "P800D, 2y70d",
        "P3000D, 8y",
    })
    void areTheCoarserTheLonger(Duration duration, String expected) {
        assertThat(AgeFormat.of(duration)).isEqualTo(expected);
    }

    @Test
    void unknownWithoutATimestamp() {
        assertThat(AgeFormat.since("", Instant.EPOCH)).isEqualTo("<unknown>");
        assertThat(AgeFormat.since("yesterday", Instant.EPOCH)).isEqualTo("<unknown>");
        assertThat(AgeFormat.since("1970-01-01T00:00:00Z", Instant.EPOCH.plusSeconds(7)))
                .isEqualTo("7s");
    }
}
