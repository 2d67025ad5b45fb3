package io.plat.apiserver.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.plat.apiserver.storage.etcd.RequestObserver;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Metrics of requests to etcd, as in kube-apiserver: {@code etcd_requests_total}, {@code etcd_request_errors_total} and {@code
 * etcd_request_duration_seconds}, by operation and type. The type is the resource of the key, and empty for a request that spans types.
 */
public final class EtcdMeters implements RequestObserver {
    private final MeterRegistry registry;
    private final Map<OperationLabels, Meters> byLabels = new ConcurrentHashMap<>();

    private record OperationLabels(String operation, String type) {}

    private record Meters(Counter requests, Counter errors, Timer duration) {}

    public EtcdMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void completed(String operation, String key, long nanos, boolean failed) {
        Meters meters = byLabels.computeIfAbsent(new OperationLabels(operation, type(key)), this::register);
        meters.requests().increment();
        if (failed) {
            meters.errors().increment();
        }
        meters.duration().record(nanos, TimeUnit.NANOSECONDS);
    }

    private Meters register(OperationLabels labels) {
        Tags tags = Tags.of("operation", labels.operation(), "type", labels.type());
        return new Meters(
                Counter.builder("etcd.requests")
                        .description("Requests to etcd.")
                        .tags(tags)
                        .register(registry),
                Counter.builder("etcd.request.errors")
                        .description("Requests to etcd that failed.")
                        .tags(tags)
                        .register(registry),
                Timer.builder("etcd.request.duration")
                        .description("Duration of requests to etcd.")
                        .tags(tags)
                        .serviceLevelObjectives(Arrays.stream(RequestMeters.SECONDS)
                                .mapToObj(bound -> Duration.ofMillis(Math.round(bound * 1e3)))
                                .toArray(Duration[]::new))
                        .register(registry));
    }

    private static String type(String key) {
        int end = key.indexOf('/');
        // Keys outside of resources are the store's own.
        return end <= 0 || key.startsWith("~") ? "" : key.substring(0, end);
    }
}
