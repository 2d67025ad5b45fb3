package io.plat.apiserver.storage;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in memory whose changes go through a log first.
 *
 * <p>One thread writes: it takes all transactions that wait, judges them one after the other, has their changes made durable
 * with one synchronisation, publishes the new state through one reference and only then acknowledges. While the disk
 * synchronises, the next batch gathers, so that the busier the store, the more writes share a sync. Readers take no lock.
 *
 * <p>Kept in memory: the newest tree, the changes of the history, and the tree at the end of each batch (its nodes are mostly
 * shared). The state between two such ends is had by undoing changes, at most a batch's.
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
    private final History history;
    private final ConcurrentNavigableMap<Long, Tree> trees = new ConcurrentSkipListMap<>();
    private final BlockingQueue<Batch.Pending> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
    private final Watchers watchers;
    private final Thread writer;
    private final long idleMillis;
    private final long room;
    private volatile State state;
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
        store.watchers.start();
        return store;
    }

    private LoggedStore(ChangeLog log, StoreOptions options, Loader loaded, CommitListener listener) {
        this.listener = listener;
        this.log = log;
        this.clock = options.clock();
        this.room = options.maxObjectBytes();
        this.compaction = new Compaction(options.history(), options.maxHistoryBytes(), options.clock());
        this.history = loaded.history();
        this.trees.putAll(loaded.trees());
        this.lastTime = loaded.lastTime();
        this.idleMillis = switch (options.history()) {
            case HistoryPolicy.Age age -> Math.clamp(age.age().toMillis() / 10, 10, 1000);
            case HistoryPolicy.Changes changes -> 1000;
        };
        loaded.obsolete().forEach(compaction::obsolete);
        compaction.trim(history);
        this.state = new State(
                loaded.revision(), history.floor(), loaded.tree(), loaded.tree().weight(), history.view());
        trees.headMap(state.floor()).clear();
        this.watchers = new Watchers(this::state);
        this.writer = Thread.ofPlatform().name("storage-writer").unstarted(this::write);
    }

    private State state() {
        return state;
    }

    @Override
    public Snapshot latest() {
        State now = state;
        return new TreeSnapshot(now.revision(), now.tree());
    }

    @Override
    public Lookup at(long revision) {
        State now = state;
        if (revision > now.revision()) {
            return new Lookup.Future(now.revision());
        }
        if (revision == now.revision()) {
            return new Lookup.Found(new TreeSnapshot(revision, now.tree()));
        }
        Map.Entry<Long, Tree> end = revision < now.floor() ? null : trees.ceilingEntry(revision);
        Tree tree = end == null ? null : undone(end.getValue(), end.getKey(), revision, now.events());
        return tree == null ? new Lookup.Gone(state.floor()) : new Lookup.Found(new TreeSnapshot(revision, tree));
    }

    /** The tree of an earlier revision; null if a change in between is no longer kept. */
    private static @Nullable Tree undone(Tree later, long from, long to, History.View events) {
        Tree tree = later;
        for (long revision = from; revision > to; revision--) {
            Event event = events.at(revision);
            if (event == null) {
                return null;
            }
            Entry previous = event.previous();
            tree = previous == null ? tree.remove(event.key()) : tree.put(previous);
        }
        return tree;
    }

    @Override
    public Lookup notBefore(long revision) {
        State now = state;
        return revision > now.revision()
                ? new Lookup.Future(now.revision())
                : new Lookup.Found(new TreeSnapshot(now.revision(), now.tree()));
    }

    @Override
    public boolean readsFromMemory() {
        return true;
    }

    @Override
    public Watch watch(KeyRange range, long after, Runnable ready) {
        return watchers.watch(range, after, ready);
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
            return waiting.poll(idleMillis, TimeUnit.MILLISECONDS);
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
        var batch = new Batch(state, lastTime, room);
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
            case CORRUPT, UNKNOWN_FORMAT, OVERLOADED, CLOSED, UNAVAILABLE, UNCERTAIN -> false;
        };
    }

    private void persist(Batch batch) throws StorageException {
        if (batch.changes().isEmpty()) {
            return;
        }
        List<Long> obsolete = compaction.nextObsolete();
        long began = System.nanoTime();
        log.write(batch.changes(), state.floor(), obsolete);
        listener.committed(batch.changes().size(), System.nanoTime() - began);
        compaction.removed(obsolete.size());
        healed();
        publish(batch);
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

    private void publish(Batch batch) {
        batch.changes().forEach(history::append);
        compaction.trim(history);
        trees.put(batch.revision(), batch.tree());
        state = new State(batch.revision(), history.floor(), batch.tree(), batch.weight(), history.view());
        trees.headMap(history.floor()).clear();
        watchers.published(batch.changes());
    }

    /** History grows old although nothing is written. */
    private void idle() {
        long before = history.floor();
        compaction.trim(history);
        if (history.floor() != before) {
            State now = state;
            state = new State(now.revision(), history.floor(), now.tree(), now.weight(), history.view());
            trees.headMap(history.floor()).clear();
        }
        StorageException failed = failure;
        if (failed == null ? compaction.pending() : mayHeal(failed)) {
            // After a failure also with nothing to remove: who is told that writes fail sends none that could show they
            // work again.
            try {
                List<Long> obsolete = compaction.nextObsolete();
                log.write(List.of(), history.floor(), obsolete);
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
        watchers.close();
        log.close();
    }
}
