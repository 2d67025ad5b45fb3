package io.plat.client.metrics;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.plat.client.CheckListener;
import io.plat.client.remote.RoundTrips;
import java.util.Locale;

/**
 * Histograms {@code plat.client.check.duration} (attributes {@code result}, {@code cached}) and {@code plat.client.request.duration} (attribute
 * {@code result}) of OpenTelemetry, in seconds.
 */
public final class OpenTelemetryListener implements CheckListener {
    private static final AttributeKey<String> RESULT = AttributeKey.stringKey("result");
    private static final AttributeKey<Boolean> CACHED = AttributeKey.booleanKey("cached");

    private final DoubleHistogram checks;
    private final DoubleHistogram requests;

    public OpenTelemetryListener(Meter meter) {
        checks = meter.histogramBuilder("plat.client.check.duration")
                .setUnit("s")
                .build();
        requests = meter.histogramBuilder("plat.client.request.duration")
                .setUnit("s")
                .build();
    }

    @Override
    public void checked(Result result, boolean cached, long nanos) {
        checks.record(nanos / 1e9, Attributes.of(RESULT, word(result), CACHED, cached));
    }

    @Override
    public void requested(RoundTrips.Result result, long nanos) {
        requests.record(nanos / 1e9, Attributes.of(RESULT, word(result)));
    }

    private static String word(Enum<?> result) {
        return result.name().toLowerCase(Locale.ROOT);
    }
}
