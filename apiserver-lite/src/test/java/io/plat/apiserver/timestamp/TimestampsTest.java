package io.plat.apiserver.timestamp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {
    private static final long FIRST = Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();
    private static final long LAST = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    @Test
    void everyDayIsFormatted() {
        LocalDate day = LocalDate.of(1, 1, 1);
        for (long seconds = FIRST; seconds <= LAST; seconds += 86_400, day = day.plusDays(1)) {
            assertThat(Timestamps.SECONDS.format(Instant.ofEpochSecond(seconds)))
                    .isEqualTo(day + "T00:00:00Z");
        }
    }

    @Test
    void fastPathAgreesWithTheJdk() {
        LocalDate end = LocalDate.of(2400, 12, 31);
        for (LocalDate day = LocalDate.of(1970, 1, 1); !day.isAfter(end); day = day.plusDays(1)) {
            char[] text = (day + "T12:34:56Z").toCharArray();
            long seconds = Timestamps.fastSeconds(text, 0, text.length);
            assertThat(seconds).isEqualTo(day.toEpochDay() * 86_400 + 45_296);
        }
        for (String absent :
                List.of("2026-02-29", "2100-02-29", "2026-04-31", "2026-00-01", "2026-13-01", "2026-01-00")) {
            char[] text = (absent + "T12:34:56Z").toCharArray();
            assertThat(Timestamps.fastSeconds(text, 0, text.length)).isNegative();
            assertThat(Timestamps.parse(String.valueOf(text))).isEmpty();
        }
    }

    @Test
    void anyTimeRoundTrips() {
        var random = new Random(3);
        for (int i = 0; i < 20_000; i++) {
            Instant time = Instant.ofEpochSecond(random.nextLong(FIRST, LAST), random.nextInt(1_000_000) * 1_000L);
            assertThat(Timestamps.SECONDS.format(time))
                    .isEqualTo(DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'")
                            .withZone(ZoneOffset.UTC)
                            .format(time));
            assertThat(Timestamps.MICROS.format(time)).hasSize("2006-01-02T15:04:05.000000Z".length());
            assertThat(Timestamps.parse(Timestamps.MICROS.format(time))).contains(time);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-21T08:34:50Z, 2026-11-21T08:34:50Z",
        "2026-11-21T10:34:50+02:00, 2026-11-21T08:34:50Z",
        "2026-11-21T02:04:50.5-06:30, 2026-11-21T08:34:50.500Z",
        "2026-11-21T08:34:50.123456789Z, 2026-11-21T08:34:50.123456789Z",
        "0001-01-01T00:00:00Z, 0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z, 9999-12-31T23:59:59Z",
    })
    void takesTimesOfAnyOffset(String text, Instant time) {
        assertThat(Timestamps.parse(text)).contains(time);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "2026-11-21",
                "2026-11-21T08:34:50",
                "2026-11-21T08:34Z",
                "2026-11-21 08:34:50Z",
                "2026-13-21T08:34:50Z",
                "2026-02-29T08:34:50Z",
                "2026-11-21T24:00:01Z",
                "2026-11-21T08:60:00Z",
                "2026-11-21T08:34:50+02",
                "2026-11-21T08:34:50+02:00:10",
                "+12026-11-21T08:34:50Z",
                "0000-01-01T00:00:00Z",
                "9999-12-31T23:59:59-01:00",
                "0001-01-01T00:00:00+01:00",
                "2026-11-21T08:34:50z",
                "2026-11-21t08:34:50Z",
                "20261-1-21T08:34:50Z"
            })
    void rejectsInvalidTimestamps(String text) {
        assertThat(Timestamps.parse(text)).isEmpty();
        char[] characters = text.toCharArray();
        assertThat(Timestamps.fastSeconds(characters, 0, characters.length)).isNegative();
    }
}
