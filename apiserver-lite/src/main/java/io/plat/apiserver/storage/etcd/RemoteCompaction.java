package io.plat.apiserver.storage.etcd;

import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.etcd.RemoteKeys.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts etcd beyond the retained history. Of several servers on one store the first to record the revision does it; the others find
 * the record.
 */
final class RemoteCompaction {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteCompaction.class);

    private final RemoteKeys keys;
    private final Duration interval;
    private final AtomicBoolean inProgress = new AtomicBoolean();
    private volatile long done;
    private long next = System.nanoTime();

    RemoteCompaction(RemoteKeys keys, HistoryPolicy history) {
        this.keys = keys;
        this.interval = switch (history) {
            case HistoryPolicy.Age age -> Duration.ofMillis(Math.clamp(age.age().toMillis() / 4, 1000, 60_000));
            case HistoryPolicy.Changes changes -> Duration.ofSeconds(5);
        };
    }

    /** Compacts up to a revision. Does not block. Not thread-safe. */
    void upTo(long floor) {
        if (floor <= done || System.nanoTime() - next < 0 || !inProgress.compareAndSet(false, true)) {
            return;
        }
        next = System.nanoTime() + interval.toNanos();
        var _ = keys.get(RemoteLoader.HISTORY_START)
                .thenCompose(start -> advance(start, floor))
                .whenComplete((nothing, failure) -> {
                    inProgress.set(false);
                    if (failure != null) {
                        LOG.warn(
                                "history older than --watch-history could not be compacted: cause={}",
                                RemoteLoader.message(failure));
                    }
                });
    }

    private CompletableFuture<@Nullable Void> advance(RemoteKeys.@Nullable Value start, long floor) {
        long compacted = start == null ? 0 : RemoteLoader.revision(start.bytes());
        if (compacted >= floor) {
            done = compacted;
            return CompletableFuture.completedFuture(null);
        }
        long expected = start == null ? Transaction.Expectation.ABSENT : start.revision();
        return keys.write(new RemoteWrite(
                        RemoteLoader.HISTORY_START,
                        RemoteLoader.bytes(floor),
                        List.of(new RemoteWrite.Expected(RemoteLoader.HISTORY_START, expected)),
                        0))
                .thenCompose(written -> switch (written) {
                    case WriteResult.Done recorded -> keys.compact(floor).thenAccept(nothing -> done = floor);
                    // Another server was faster.
                    case WriteResult.Refused refused -> CompletableFuture.completedFuture(null);
                });
    }
}
