package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.CommitListener;
import io.plat.apiserver.storage.ForeignEntries;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Lookup;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.VersionedMemory;
import io.plat.apiserver.storage.Watch;
import io.plat.process.BackgroundLoop;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Store without another process: in memory, durable in one SQLite file.
 *
 * <p>Every change is one row, appended, with a checksum, in a write-ahead log that is synced before the write is acknowledged. History
 * survives a restart to the extent of the policy, so that watches can resume. The data directory is locked against a second process. A
 * file that is damaged, or written by another program or a newer version, is rejected at startup with the reason.
 *
 * <p>One thread writes: it takes all pending transactions, evaluates them in order, makes their changes durable with one sync, publishes
 * the new state and only then acknowledges them. Meanwhile the next batch accumulates, so that under load more writes share a sync.
 * Readers take no lock.
 */
public final class EmbeddedStore implements ObjectStore, BackgroundLoop.Work {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedStore.class);

    static final int MAX_BATCH = 512;

    private static final int MAX_WAITING = 16_384;

    /** Interval in which an idle store checks that its directory is still locked. */
    private static final long LOCK_MILLIS = 500;

    /** Minimum interval of recoveries, as reading the whole file takes a while. */
    private static final long RECOVERY_NANOS = 1_000_000_000L;

    private final ChangeLog log;
    private final CommitListener listener;
    private final InstantSource clock;
    private final Compaction compaction;
    private final VersionedMemory memory;
    private final BlockingQueue<Batch.Pending> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
    private final BackgroundLoop writer;
    private final ForeignEntries foreign;
    private volatile @Nullable StorageException failure;
    private volatile boolean closing;
    private volatile boolean stopped;
    private long lastTime;
    private List<Batch.Pending> inProgress = List.of();
    private boolean inDoubt;

    /** True if the log has to be reopened before the next write, as the device failed during one. */
    private boolean broken;

    private long notBefore = System.nanoTime();

    /** Opens a data directory; if absent, creates it with access for its owner only. */
    public static ObjectStore open(Path directory, StoreOptions options) throws StorageException {
        SqliteLog log = SqliteLog.open(directory);
        try {
            return start(log, options);
        } catch (StorageException e) {
            log.close();
            throw e;
        }
    }

    /** Opens a store that is not durable. */
    public static ObjectStore inMemory(StoreOptions options) {
        try {
            return start(new ChangeLog.VolatileLog(), options);
        } catch (StorageException e) {
            throw new IllegalStateException("a log in memory cannot be damaged", e);
        }
    }

    /** Reads the log and starts accepting writes. The store takes over the log. */
    static EmbeddedStore start(ChangeLog log, StoreOptions options) throws StorageException {
        var loader = new Loader(options.foreign());
        loader.load(log);
        var store = new EmbeddedStore(log, options, loader);
        store.reserveSpace();
        store.writer.start();
        store.memory.start();
        return store;
    }

    private EmbeddedStore(ChangeLog log, StoreOptions options, Loader loaded) {
        this.listener = options.commits();
        this.log = log;
        this.clock = options.clock();
        this.foreign = options.foreign();
        this.lastTime = loaded.lastTime();
        this.compaction = new Compaction();
        loaded.obsolete().forEach(compaction::obsolete);
        this.memory = new VersionedMemory(
                options, loaded.history(options, compaction::forget), loaded.revision(), compaction::forget);
        this.writer = BackgroundLoop.platform("storage-writer", this);
    }

    private void reserveSpace() {
        try {
            log.reserveSpace();
        } catch (StorageException e) {
            failed(e);
        }
    }

    @Override
    public Snapshot latest() {
        return memory.latest();
    }

    @Override
    public Lookup at(long revision) {
        return memory.at(revision);
    }

    @Override
    public Lookup notBefore(long revision) {
        return memory.notBefore(revision);
    }

    @Override
    public boolean readsFromMemory() {
        return true;
    }

    @Override
    public Watch watch(KeyRange range, long after, Runnable ready) {
        return memory.watch(range, after, ready);
    }

    @Override
    public CompletableFuture<Outcome> submit(Transaction transaction) {
        var outcome = new CompletableFuture<Outcome>();
        if (closing) {
            outcome.completeExceptionally(closed());
        } else if (!waiting.offer(new Batch.Pending(transaction, outcome))) {
            outcome.completeExceptionally(new StorageException(
                    Kind.OVERLOADED, "more than " + MAX_WAITING + " writes are waiting for the disk"));
        } else if (stopped) {
            abandon();
        }
        return outcome;
    }

    private static StorageException closed() {
        return new StorageException(Kind.CLOSED, "the store is closed");
    }

    @Override
    public Optional<String> problem() {
        return Optional.ofNullable(failure).map(Throwable::getMessage);
    }

    @Override
    public double fullness() {
        return memory.fullness();
    }

    @Override
    public void countDerived(String namespace, long bytes) {
        memory.countDerived(namespace, bytes);
    }

    @Override
    public boolean isCurrent() {
        StorageException failed = failure;
        return memory.isCurrent() && (failed == null || failed.kind() != Kind.LOST);
    }

    /** After a failure the result of the last write is unknown, and the log is compared with the memory. */
    @Override
    public void begin() throws StorageException {
        fail(inProgress, new StorageException(Kind.UNCERTAIN, "the store failed"));
        inProgress = List.of();
        if (inDoubt) {
            try {
                compare();
                inDoubt = false;
            } catch (StorageException e) {
                failed(e);
                var waited = new ArrayList<Batch.Pending>();
                waiting.drainTo(waited);
                fail(waited, e);
                throw e;
            }
        }
    }

    private static void fail(List<Batch.Pending> members, StorageException failure) {
        members.forEach(member -> member.outcome().completeExceptionally(failure));
    }

    /** Reloads the log only if it contains unpublished changes, as memory may be scarce. */
    private void compare() throws StorageException {
        // An open transaction has no effect.
        log.recover(Long.MAX_VALUE);
        long[] newest = {0};
        log.read(floor -> {
            newest[0] = floor;
            return (time, entry, deleted) -> newest[0] = Math.max(floor, entry.revision());
        });
        if (newest[0] != memory.state().revision()) {
            var loader = new Loader(foreign);
            loader.load(log);
            memory.restart(loader.revision(), loader.tree());
        }
        broken = false;
        failure = failure != null && isRecoverable(failure) ? failure : null;
    }

    @Override
    public Duration round() throws InterruptedException {
        Batch.Pending first = waiting.poll(Math.min(memory.idleMillis(), LOCK_MILLIS), TimeUnit.MILLISECONDS);
        probe();
        if (first != null) {
            write(gather(first));
        } else {
            idle();
        }
        return BackgroundLoop.NONE;
    }

    @Override
    public void end() {
        closing = true;
        for (Batch.Pending pending = waiting.poll(); pending != null; pending = waiting.poll()) {
            write(gather(pending));
        }
        stopped = true;
        abandon();
    }

    /** Also called by submitters after the writer has stopped, so that no caller waits forever. */
    private void abandon() {
        var pending = new ArrayList<Batch.Pending>();
        waiting.drainTo(pending);
        fail(pending, closed());
    }

    private Batch gather(Batch.Pending first) {
        var members = new ArrayList<Batch.Pending>();
        inProgress = members;
        members.add(first);
        waiting.drainTo(members, MAX_BATCH - 1);
        lastTime = Math.max(lastTime, clock.millis());
        var batch = new Batch(memory, lastTime, foreign);
        members.forEach(batch::add);
        return batch;
    }

    private void write(Batch all) {
        StorageException failed = failure;
        boolean full = failed != null && failed.kind() == Kind.FULL;
        Batch batch = all;
        if (failed != null && full) {
            batch = new Batch(memory, lastTime, foreign);
            all.moveFreeing(batch, failed);
        }
        try {
            if (failed != null && !full) {
                batch.fail(failed);
            } else {
                persist(batch);
                batch.complete();
            }
        } catch (StorageException e) {
            failed(e);
            if (e.kind() == Kind.FULL && log.releaseReservedSpace()) {
                write(batch);
            } else {
                batch.fail(e);
            }
        }
        inProgress = List.of();
    }

    /** Returns whether a failure may be temporary: space can be freed, a mount repaired, a read retried; damage is permanent. */
    private static boolean isRecoverable(StorageException failed) {
        return switch (failed.kind()) {
            case FULL, READ_ONLY, IN_USE, IO_ERROR -> true;
            case LOST, CORRUPT, UNKNOWN_FORMAT, TOO_LARGE, OVERLOADED, CLOSED, UNAVAILABLE, UNCERTAIN -> false;
        };
    }

    private void persist(Batch batch) throws StorageException {
        if (batch.changes().isEmpty()) {
            return;
        }
        List<Long> obsolete = compaction.nextObsolete();
        long began = System.nanoTime();
        inDoubt = true;
        try {
            log.write(batch.changes(), memory.state().floor(), obsolete);
        } catch (StorageException e) {
            inDoubt = false;
            throw e;
        }
        listener.committed(batch.changes().size(), System.nanoTime() - began);
        compaction.removed(obsolete.size());
        memory.publish(batch.changes(), batch.revision());
        inDoubt = false;
    }

    /** Logs a failure once, not for each affected write. */
    private void failed(StorageException e) {
        StorageException before = failure;
        if (before != null && before.kind() == Kind.LOST) {
            return;
        }
        failure = e;
        broken |= e.kind() == Kind.IO_ERROR;
        if (before == null || before.kind() != e.kind()) {
            LOG.error("storage refuses writes: cause={}", e.getMessage(), e);
        }
    }

    /** Checks whether the disk accepts writes again, before each batch and periodically. */
    private void probe() {
        StorageException failed = failure;
        if (failed == null || !isRecoverable(failed) || (broken && System.nanoTime() - notBefore < 0)) {
            return;
        }
        try {
            if (broken) {
                notBefore = System.nanoTime() + RECOVERY_NANOS;
                log.recover(memory.state().revision());
                broken = false;
            }
            log.reserveSpace();
            removeObsolete();
            failure = null;
            LOG.info("storage accepts writes again");
        } catch (StorageException e) {
            failed(e);
        }
    }

    /** Without anything to remove this is a write too. */
    private void removeObsolete() throws StorageException {
        List<Long> obsolete = compaction.nextObsolete();
        log.write(List.of(), memory.state().floor(), obsolete);
        compaction.removed(obsolete.size());
    }

    /** Checks the lock and trims history while nothing is written. */
    private void idle() {
        memory.idle();
        try {
            log.requireLock();
            if (failure == null && compaction.pending()) {
                removeObsolete();
            }
        } catch (StorageException e) {
            failed(e);
        }
    }

    @Override
    public void close() throws StorageException {
        closing = true;
        writer.close();
        writer.join();
        memory.close();
        log.close();
    }
}
