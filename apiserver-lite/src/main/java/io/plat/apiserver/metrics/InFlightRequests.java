package io.plat.apiserver.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.LongAdder;

/** {@code apiserver_current_inflight_requests}: short requests in flight, by whether they are read-only. */
public record InFlightRequests(LongAdder reading, LongAdder mutating) {
    public InFlightRequests() {
        this(new LongAdder(), new LongAdder());
    }

    public void register(MeterRegistry registry) {
        register("readOnly", reading, registry);
        register("mutating", mutating, registry);
    }

    private static void register(String kind, LongAdder count, MeterRegistry registry) {
        Gauge.builder("apiserver.current.inflight.requests", count, LongAdder::sum)
                .description("Requests in progress, excluding watches and followed logs.")
                .tag("request_kind", kind)
                .register(registry);
    }
}
