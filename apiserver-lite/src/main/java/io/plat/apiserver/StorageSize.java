package io.plat.apiserver;

import io.micrometer.core.instrument.Gauge;
import io.plat.apiserver.storage.etcd.RemoteKeys;
import io.plat.http.metrics.ServerMetrics;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** {@code apiserver_storage_size_bytes}: what the objects take where they are kept. */
final class StorageSize {
    private StorageSize() {}

    /** That of the files in a folder. */
    static void show(Path directory, ServerMetrics metrics) {
        show("embedded", () -> filesIn(directory), metrics);
    }

    /** What was told last, which is asked for whenever somebody reads it: who reads a metric waits for nobody. */
    static void show(RemoteKeys keys, ServerMetrics metrics) {
        AtomicLong last = new AtomicLong(-1);
        show(
                EtcdFlags.BACKEND,
                () -> {
                    var _ = keys.size().thenAccept(last::set);
                    return last.get() < 0 ? Double.NaN : last.doubleValue();
                },
                metrics);
        var _ = keys.size().thenAccept(last::set);
    }

    private static void show(String where, Supplier<Number> bytes, ServerMetrics metrics) {
        Gauge.builder("apiserver.storage.size.bytes", bytes)
                .description("Bytes that are taken where the objects are kept.")
                .tag("storage_cluster_id", where)
                .strongReference(true)
                .register(metrics.registry());
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
