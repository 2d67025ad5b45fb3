package io.plat.http.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Timers of {@code http_request_duration_seconds} by method and code. Unknown methods share one name, and invalid codes share the nearest one,
 * so that clients can't create series.
 */
final class RequestTimers {
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final MeterRegistry registry;
    private final ConcurrentMap<Key, Timer> timers = new ConcurrentHashMap<>();

    private record Key(String method, int code) {}

    RequestTimers(MeterRegistry registry) {
        this.registry = registry;
    }

    Timer timer(String method, int code) {
        Key key = new Key(METHODS.contains(method) ? method : "OTHER", Math.clamp(code, 100, 599));
        @Nullable Timer known = timers.get(key);
        return known != null ? known : timers.computeIfAbsent(key, this::register);
    }

    private Timer register(Key key) {
        return Timer.builder("http.request.duration")
                .description("Duration of a request, from its headers to the end of the response.")
                .tag("method", key.method())
                .tag("code", Integer.toString(key.code()))
                .serviceLevelObjectives(Buckets.all())
                .register(registry);
    }

    /** Discards all recorded values. */
    void reset() {
        for (Key key : timers.keySet()) {
            @Nullable Timer known = timers.remove(key);
            if (known != null) {
                registry.remove(known);
            }
        }
    }
}
