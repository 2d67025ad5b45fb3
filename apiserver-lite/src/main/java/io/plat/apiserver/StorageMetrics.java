package io.plat.apiserver;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.plat.apiserver.storage.CommitListener;
import java.util.concurrent.TimeUnit;

/** Counts what the storage makes durable: {@code storage_commit_seconds} and {@code storage_changes_total}. */
final class StorageMetrics implements CommitListener {
    private final Timer commits;
    private final Counter changes;

    StorageMetrics(MeterRegistry registry) {
        commits = Timer.builder("storage.commit")
                .description("Synchronisations of the disk, each of which makes the changes durable that had gathered.")
                .register(registry);
        changes = Counter.builder("storage.changes")
                .description("Changes of objects that became durable.")
                .register(registry);
    }

    @Override
    public void committed(int together, long nanos) {
        commits.record(nanos, TimeUnit.NANOSECONDS);
        changes.increment(together);
    }
}
