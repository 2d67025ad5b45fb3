package io.plat.apiserver.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code apiserver_current_inflight_requests}: requests under way that do not last, by whether they only read.
 *
 * @param reading those that only read
 * @param mutating those that change something
 */
public record Underway(LongAdder reading, LongAdder mutating) {
    /** None are under way. */
    public Underway() {
        this(new LongAdder(), new LongAdder());
    }

    /** Shows them. */
    public void show(MeterRegistry registry) {
        show("readOnly", reading, registry);
        show("mutating", mutating, registry);
    }

    private static void show(String kind, LongAdder count, MeterRegistry registry) {
        Gauge.builder("apiserver.current.inflight.requests", count, LongAdder::sum)
                .description("Requests under way that do not last, as watches and logs do.")
                .tag("request_kind", kind)
                .register(registry);
    }
}
