package io.plat.http.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * {@code http_request_duration_seconds} by method and code. Looking up a timer is two array reads, as every request does it;
 * methods that nobody knows share one name, so that clients can't make series.
 */
final class RequestTimers {
    private static final Duration[] BUCKETS = Buckets.all();
    private static final int FIRST_CODE = 100;
    private static final int CODES = 500;

    private enum Method {
        GET,
        HEAD,
        POST,
        PUT,
        PATCH,
        DELETE,
        OPTIONS,
        OTHER;

        static Method of(String name) {
            return switch (name) {
                case "POST" -> POST;
                case "GET" -> GET;
                case "PUT" -> PUT;
                case "PATCH" -> PATCH;
                case "DELETE" -> DELETE;
                case "HEAD" -> HEAD;
                case "OPTIONS" -> OPTIONS;
                default -> OTHER;
            };
        }
    }

    private final MeterRegistry registry;
    private final Map<Method, AtomicReferenceArray<@Nullable Timer>> timers = new EnumMap<>(Method.class);

    RequestTimers(MeterRegistry registry) {
        this.registry = registry;
        for (Method method : Method.values()) {
            timers.put(method, new AtomicReferenceArray<>(CODES));
        }
    }

    Timer timer(String methodName, int code) {
        Method method = Method.of(methodName);
        int index = Math.clamp((long) code - FIRST_CODE, 0, CODES - 1);
        AtomicReferenceArray<@Nullable Timer> codes = timersOf(method);
        @Nullable Timer known = codes.get(index);
        if (known != null) {
            return known;
        }
        // The registry returns the same timer to whoever asks with the same tags, so a race is harmless.
        Timer made = Timer.builder("http.request.duration")
                .description("Time from a request's headers to the end of its answer.")
                .tag("method", method.name())
                .tag("code", Integer.toString(index + FIRST_CODE))
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
        codes.set(index, made);
        return made;
    }

    /** Begins anew: what was recorded is forgotten. */
    void reset() {
        for (AtomicReferenceArray<@Nullable Timer> codes : timers.values()) {
            for (int i = 0; i < CODES; i++) {
                @Nullable Timer known = codes.getAndSet(i, null);
                if (known != null) {
                    registry.remove(known);
                }
            }
        }
    }

    private AtomicReferenceArray<@Nullable Timer> timersOf(Method method) {
        AtomicReferenceArray<@Nullable Timer> codes = timers.get(method);
        if (codes == null) {
            throw new IllegalStateException("no timers for " + method);
        }
        return codes;
    }
}
