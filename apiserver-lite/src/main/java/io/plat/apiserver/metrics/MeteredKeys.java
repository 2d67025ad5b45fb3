package io.plat.apiserver.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.plat.apiserver.storage.CommitListener;
import io.plat.apiserver.storage.etcd.DelegatingKeys;
import io.plat.apiserver.storage.etcd.RemoteKeys;
import io.plat.apiserver.storage.etcd.RemoteKeys.Value;
import io.plat.apiserver.storage.etcd.RemoteWrite;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measured etcd client, with kube-apiserver's metrics: {@code etcd_requests_total}, {@code etcd_request_errors_total} and {@code
 * etcd_request_duration_seconds}, by operation and type. The type is the resource of the key, and empty for a request that spans types.
 */
public final class MeteredKeys extends DelegatingKeys {
    private final MeterRegistry registry;
    private final CommitListener commits;
    private final Map<OperationLabels, Meters> byLabels = new ConcurrentHashMap<>();

    private record OperationLabels(String operation, String type) {}

    private record Meters(Counter requests, Counter errors, Timer duration) {}

    /**
     * Measures an etcd client, which the returned keys own and close.
     *
     * @param commits notified of each committed change
     */
    public MeteredKeys(RemoteKeys keys, MeterRegistry registry, CommitListener commits) {
        super(keys);
        this.registry = registry;
        this.commits = commits;
    }

    private <T> CompletableFuture<T> counted(String operation, String type, Supplier<CompletableFuture<T>> request) {
        Meters meters = byLabels.computeIfAbsent(new OperationLabels(operation, type), this::register);
        long began = System.nanoTime();
        return request.get().whenComplete((answer, failure) -> {
            meters.requests().increment();
            if (failure != null) {
                meters.errors().increment();
            }
            meters.duration().record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
        });
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
                        .serviceLevelObjectives(bounds())
                        .register(registry));
    }

    private static Duration[] bounds() {
        return Arrays.stream(RequestMeters.SECONDS)
                .mapToObj(bound -> Duration.ofMillis(Math.round(bound * 1e3)))
                .toArray(Duration[]::new);
    }

    private static String type(String key) {
        int end = key.indexOf('/');
        // Keys outside of resources are the store's own.
        return end <= 0 || key.startsWith("~") ? "" : key.substring(0, end);
    }

    @Override
    public CompletableFuture<Newest> newest(String key) {
        return counted("revision", "", () -> super.newest(key));
    }

    @Override
    public CompletableFuture<ListResult> list(String after, int limit, long revision) {
        return counted("list", "", () -> super.list(after, limit, revision));
    }

    @Override
    public CompletableFuture<@Nullable Value> get(String key) {
        return counted("get", type(key), () -> super.get(key));
    }

    @Override
    public CompletableFuture<WriteResult> write(RemoteWrite write) {
        long began = System.nanoTime();
        return counted(operation(write), type(write.key()), () -> super.write(write))
                .whenComplete((written, failure) -> {
                    if (written instanceof WriteResult.Done) {
                        commits.committed(1, System.nanoTime() - began);
                    }
                });
    }

    @Override
    public CompletableFuture<Boolean> writeAll(List<RemoteWrite> changes, RemoteWrite.Expected condition) {
        return counted("update", "", () -> super.writeAll(changes, condition));
    }

    private static String operation(RemoteWrite write) {
        if (write.bytes() == null) {
            return "delete";
        }
        boolean creates = write.expectations().stream()
                .anyMatch(expected -> expected.key().equals(write.key()) && expected.revision() == 0);
        return creates ? "create" : "update";
    }

    @Override
    public CompletableFuture<@Nullable Void> compact(long revision) {
        return counted("compact", "", () -> super.compact(revision));
    }

    @Override
    public CompletableFuture<Long> lease(long seconds) {
        return counted("lease", "", () -> super.lease(seconds));
    }
}
