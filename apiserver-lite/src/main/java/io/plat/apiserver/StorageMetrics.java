package io.plat.apiserver;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.plat.apiserver.storage.CommitListener;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.etcd.RemoteKeys;
import io.plat.http.metrics.ServerMetrics;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Metrics of the storage: durable commits, {@code storage_commit_seconds} and {@code storage_changes_total}, its size, and memory. */
final class StorageMetrics implements CommitListener {
    /** Share of the memory limit from which readiness reports its use. One namespace may use more than that. */
    private static final double NEARLY_FULL = 0.75;

    private final Timer commits;
    private final Counter changes;

    StorageMetrics(MeterRegistry registry) {
        commits = Timer.builder("storage.commit")
                .description("Duration of a disk sync, which makes a batch of changes durable.")
                .register(registry);
        changes = Counter.builder("storage.changes")
                .description("Object changes that were written to disk.")
                .register(registry);
    }

    @Override
    public void committed(int together, long nanos) {
        commits.record(nanos, TimeUnit.NANOSECONDS);
        changes.increment(together);
    }

    /** Publishes the size of the files in a directory: {@code apiserver_storage_size_bytes}. */
    static void showSize(Path directory, ServerMetrics metrics) {
        showSize("embedded", () -> filesIn(directory), metrics);
    }

    /** Publishes the last known size of an etcd database, and requests an update; a scrape never waits for etcd. */
    static void showSize(RemoteKeys keys, ServerMetrics metrics) {
        AtomicLong last = new AtomicLong(-1);
        showSize(
                EtcdFlags.BACKEND,
                () -> {
                    var _ = keys.size().thenAccept(last::set);
                    return last.get() < 0 ? Double.NaN : last.doubleValue();
                },
                metrics);
        var _ = keys.size().thenAccept(last::set);
    }

    private static void showSize(String where, Supplier<Number> bytes, ServerMetrics metrics) {
        Gauge.builder("apiserver.storage.size.bytes", bytes)
                .description("Size of the storage in bytes.")
                .tag("storage_cluster_id", where)
                .strongReference(true)
                .register(metrics.registry());
    }

    /** Publishes the share of the memory limit of objects that is in use: {@code apiserver_storage_object_memory_ratio}. */
    static void showFullness(ObjectStore store, ServerMetrics metrics) {
        Gauge.builder("apiserver.storage.object.memory.ratio", store::fullness)
                .description("Share of the memory limit of stored objects that is in use.")
                .strongReference(true)
                .register(metrics.registry());
    }

    /** Returns a remark for readiness on a store that is nearly full; {@code ""} otherwise. */
    static String fullness(ObjectStore store) {
        double share = store.fullness();
        return share < NEARLY_FULL
                ? ""
                : "objects use " + (int) (100 * share)
                        + " % of their memory limit, so writes may be refused: delete some";
    }

    private static double filesIn(Path directory) {
        double sum = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, Files::isRegularFile)) {
            for (Path file : files) {
                sum += Files.size(file);
            }
            return sum;
        } catch (IOException unreadable) {
            return Double.NaN;
        }
    }
}
