package io.plat.client.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), 2, 0.5, 5);

    @Test
    void waitsDouble() {
        assertThat(backoff.after(1, () -> 0)).isEqualTo(Duration.ofMillis(100));
        assertThat(backoff.after(2, () -> 0)).isEqualTo(Duration.ofMillis(200));
        assertThat(backoff.after(4, () -> 0)).isEqualTo(Duration.ofMillis(800));
        assertThat(backoff.after(1, () -> 1)).isEqualTo(Duration.ofMillis(150));
    }

    @Property
    void jitterIsBounded(
            @ForAll @IntRange(min = 1, max = 10) int attempt, @ForAll @DoubleRange(max = 1) double random) {
        Duration least = backoff.after(attempt, () -> 0);
        assertThat(backoff.after(attempt, () -> random))
                .isBetween(least, least.multipliedBy(3).dividedBy(2));
    }

    @Test
    void invalidSettingsAreABug() {
        assertThatThrownBy(() -> new Backoff(Duration.ofMillis(-1), 1, 0, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, 0.5, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, 1, 2, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, 1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
