package io.plat.apiserver.storage;

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
 * A store in memory whose changes go through a log first.
 *
 * <p>One thread writes: it takes all transactions that wait, judges them one after the other, has their changes made durable
 * with one synchronisation, publishes the new state and only then acknowledges. While the disk
 * synchronises, the next batch gathers, so that the busier the store, the more writes share a sync. Readers take no lock.
 */
final class LoggedStore implements ObjectStore {
    private static final Logger LOG = LoggerFactory.getLogger(LoggedStore.class);

    /** The most transactions that become durable together. */
    static final int MAX_BATCH = 512;

    private static final int MAX_WAITING = 16_384;

    private final ChangeLog log;
    private final CommitListener listener;
    private final InstantSource clock;
    private final Compaction compaction;
    private final VersionedMemory memory;
    private final BlockingQueue<Batch.Pending> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
    private final Thread writer;
    private final long room;
    private volatile @Nullable StorageException failure;
    private volatile boolean closing;
    private volatile boolean stopped;
    private long lastTime;

    /** Reads the log and starts to accept. The log belongs to the store from now on. */
    static LoggedStore start(ChangeLog log, StoreOptions options) throws StorageException {
        return start(log, options, CommitListener.NONE);
    }

    /** The same, with somebody who hears of every commit. */
    static LoggedStore start(ChangeLog log, StoreOptions options, CommitListener listener) throws StorageException {
        var loader = new Loader();
        loader.load(log);
        var store = new LoggedStore(log, options, loader, listener);
        store.writer.start();
        store.memory.start();
        return store;
    }

    private LoggedStore(ChangeLog log, StoreOptions options, Loader loaded, CommitListener listener) {
        this.listener = listener;
        this.log = log;
        this.clock = options.clock();
        this.room = options.maxObjectBytes();
        this.compaction = new Compaction();
        this.lastTime = loaded.lastTime();
        loaded.obsolete().forEach(compaction::obsolete);
        this.memory = new VersionedMemory(options, loaded.loaded(), compaction::forget);
        this.writer = Thread.ofPlatform().name("storage-writer").unstarted(this::write);
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
                    StorageException.Kind.OVERLOADED, "more than " + MAX_WAITING + " writes are waiting for the disk"));
        } else if (stopped) {
            abandon();
        }
        return outcome;
    }

    private static StorageException closed() {
        return new StorageException(StorageException.Kind.CLOSED, "the store is closed");
    }

    @Override
    public Optional<String> problem() {
        return Optional.ofNullable(failure).map(Throwable::getMessage);
    }

    /** The writing thread. */
    private void write() {
        try {
            while (!closing || !waiting.isEmpty()) {
                Batch.Pending first = next();
                if (first != null) {
                    write(gather(first));
                } else if (!closing) {
                    idle();
                }
            }
        } finally {
            closing = true;
            stopped = true;
            abandon();
        }
    }

    /** The next that waits, or null after a while without any. */
    private Batch.@Nullable Pending next() {
        if (closing) {
            return waiting.poll();
        }
        try {
            return waiting.poll(memory.idleMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException closed) {
            // The one who closes the store interrupts this wait, and nothing else here can be interrupted.
            return waiting.poll();
        }
    }

    /** Whoever comes after the writer has stopped does this too, so that nobody waits for ever. */
    private void abandon() {
        for (Batch.Pending left = waiting.poll(); left != null; left = waiting.poll()) {
            left.outcome().completeExceptionally(closed());
        }
    }

    private Batch gather(Batch.Pending first) {
        var members = new ArrayList<Batch.Pending>();
        members.add(first);
        waiting.drainTo(members, MAX_BATCH - 1);
        lastTime = Math.max(lastTime, clock.millis());
        var batch = new Batch(memory.state(), lastTime, room);
        members.forEach(batch::add);
        return batch;
    }

    private void write(Batch batch) {
        boolean settled = false;
        try {
            StorageException failed = failure;
            if (failed != null && !mayHeal(failed)) {
                batch.fail(failed);
            } else {
                persist(batch);
                batch.complete();
            }
            settled = true;
        } catch (StorageException e) {
            failed(e);
            batch.fail(e);
            settled = true;
        } finally {
            if (!settled) {
                batch.fail(new StorageException(StorageException.Kind.UNCERTAIN, "the store failed"));
            }
        }
    }

    /** Room can be made and a mount repaired; after anything else nobody knows what the disk holds until it is read again. */
    private static boolean mayHeal(StorageException failed) {
        return switch (failed.kind()) {
            case FULL, READ_ONLY, IN_USE -> true;
            case CORRUPT, UNKNOWN_FORMAT, TOO_LARGE, OVERLOADED, CLOSED, UNAVAILABLE, UNCERTAIN -> false;
        };
    }

    private void persist(Batch batch) throws StorageException {
        if (batch.changes().isEmpty()) {
            return;
        }
        List<Long> obsolete = compaction.nextObsolete();
        long began = System.nanoTime();
        log.write(batch.changes(), memory.state().floor(), obsolete);
        listener.committed(batch.changes().size(), System.nanoTime() - began);
        compaction.removed(obsolete.size());
        healed();
        memory.publish(batch.changes(), batch.revision(), batch.tree(), batch.weight());
    }

    /** An operator hears of it once, however many writes it refuses. */
    private void failed(StorageException e) {
        StorageException before = failure;
        failure = e;
        if (before == null || before.kind() != e.kind()) {
            LOG.error("storage refuses writes: {}", e.getMessage(), e);
        }
    }

    private void healed() {
        if (failure != null) {
            failure = null;
            LOG.info("storage accepts writes again");
        }
    }

    /** History grows old although nothing is written. */
    private void idle() {
        memory.idle();
        StorageException failed = failure;
        if (failed == null ? compaction.pending() : mayHeal(failed)) {
            // After a failure also with nothing to remove: who is told that writes fail sends none that could show they
            // work again.
            try {
                List<Long> obsolete = compaction.nextObsolete();
                log.write(List.of(), memory.state().floor(), obsolete);
                compaction.removed(obsolete.size());
                healed();
            } catch (StorageException e) {
                failed(e);
            }
        }
    }

    @Override
    public void close() throws StorageException {
        closing = true;
        writer.interrupt();
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(
                    StorageException.Kind.UNCERTAIN, "interrupted while the last writes were under way", e);
        }
        memory.close();
        log.close();
    }
}
