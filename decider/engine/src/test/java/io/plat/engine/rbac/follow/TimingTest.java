package io.plat.engine.rbac.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimingTest {
    @Test
    void delaysDoubleWithJitter() {
        Random random = new Random(3);
        double bound = 100;
        for (int i = 1; i <= 2000; i++) {
            assertThat(Timing.DEFAULT.pause(i, random::nextDouble))
                    .isBetween(Duration.ofMillis((long) bound / 2), Duration.ofMillis((long) bound));
            bound = Math.min(5000, bound * 2);
        }
    }

    @Test
    void clientsDoNotRetryAtTheSameTime() {
        List<Duration> pauses = new ArrayList<>();
        for (double chance : List.of(0.0, 0.5, 0.99)) {
            pauses.add(Timing.DEFAULT.pause(1, () -> chance));
        }
        assertThat(pauses).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({"0.0, 45", "0.5, 53", "1.0, 60"})
    void watchesDoNotEndAtTheSameTime(double chance, long seconds) {
        assertThat(Timing.DEFAULT.watchSeconds(() -> chance)).isEqualTo(seconds);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 2, true",
        "9, 10, true",
        "10, 9, false",
        "10, 10, false",
        "a, b, false",
        "9, b, false",
        "09, 10, false",
        "99999999999999999998, 99999999999999999999, true",
        "'', 1, false"
    })
    void numericVersionsAreCompared(String one, String other, boolean before) {
        assertThat(TypeFollower.isBefore(one, other)).isEqualTo(before);
    }
}
