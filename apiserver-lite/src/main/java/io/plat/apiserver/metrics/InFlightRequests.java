package io.plat.apiserver.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code apiserver_current_inflight_requests}: short requests in flight, by whether they are read-only.
 *
 * @param reading read-only requests
 * @param mutating mutating requests
 */
public record InFlightRequests(LongAdder reading, LongAdder mutating) {
    public InFlightRequests() {
        this(new LongAdder(), new LongAdder());
    }

    /** Registers the gauges. */
    public void show(MeterRegistry registry) {
        show("readOnly", reading, registry);
        show("mutating", mutating, registry);
    }

    private static void show(String kind, LongAdder count, MeterRegistry registry) {
        Gauge.builder("apiserver.current.inflight.requests", count, LongAdder::sum)
                .description("Requests in progress, excluding watches and followed logs.")
                .tag("request_kind", kind)
                .register(registry);
    }
}
