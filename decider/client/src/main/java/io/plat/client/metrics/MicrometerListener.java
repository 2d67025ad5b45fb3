package io.plat.client.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.plat.client.CheckListener;
import io.plat.client.remote.RoundTrips;
import java.time.Duration;
import java.util.Locale;

/** Timers {@code plat.client.check} (tags {@code result}, {@code cached}) and {@code plat.client.request} (tag {@code result}) of Micrometer. */
public record MicrometerListener(MeterRegistry registry) implements CheckListener {
    @Override
    public void checked(Result result, boolean cached, long nanos) {
        registry.timer("plat.client.check", "result", word(result), "cached", Boolean.toString(cached))
                .record(Duration.ofNanos(nanos));
    }

    @Override
    public void requested(RoundTrips.Result result, long nanos) {
        registry.timer("plat.client.request", "result", word(result)).record(Duration.ofNanos(nanos));
    }

    private static String word(Enum<?> result) {
        return result.name().toLowerCase(Locale.ROOT);
    }
}
