package io.plat.apiserver.storage.etcd;

import io.plat.apiserver.storage.Change;
import io.plat.apiserver.storage.CommitListener;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.History;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.LeaderTask;
import io.plat.apiserver.storage.Lookup;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Presence;
import io.plat.apiserver.storage.RevisionWaiters;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.StoreState;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Tree;
import io.plat.apiserver.storage.VersionedMemory;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.storage.etcd.RemoteKeys.WriteResult;
import io.plat.engine.lookup.Frozen;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Store in etcd, with etcd's revisions, served from a replica in memory. Any number of servers may share it.
 *
 * <p>A write is one etcd transaction, with the expected revision of every key as its precondition; it is acknowledged once the change has
 * been replicated here. A read of the newest state requests the newest revision, once for all concurrent reads, and waits until the
 * memory has reached it.
 *
 * <p>One feed covers all types, so a snapshot is consistent across types, and custom types are included from the beginning.
 */
public final class RemoteStore implements ObjectStore {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteStore.class);

    private static final int MAX_PENDING_WRITES = 16_384;
    /** Time that a read waits for pending changes, and startup for the first ones. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    /** Typical replication delay; after that, progress is requested from the feed. */
    private static final long TYPICAL_DELAY_MILLIS = 5;
    /** Maximum delay of a durable write whose change is not replicated. */
    private static final long MAX_DELAY_MILLIS = 1000;

    private final RemoteKeys keys;
    private final VersionedMemory memory;
    private final RevisionWaiters waiters;
    private final RemoteFollower follower;
    private final CoalescedRequest newestRevision;
    private final Map<String, Duration> lifetimes;
    private final SharedLeases leases;
    private final CommitListener commits;
    private final Map<Long, CompletableFuture<Outcome>> inProgress = new ConcurrentHashMap<>();
    private final AtomicLong submitted = new AtomicLong();
    private volatile boolean closed;

    private RemoteStore(RemoteKeys remoteKeys, StoreOptions options, Map<String, Duration> lifetimes, Duration silence)
            throws StorageException {
        this.keys = OriginKeys.open(remoteKeys);
        this.lifetimes = Frozen.copyOf(lifetimes);
        this.leases = new SharedLeases(keys);
        this.commits = options.commits();
        this.newestRevision = new CoalescedRequest(keys::revision);
        RemoteLoader.LoadedState loaded = new RemoteLoader(keys, options.foreign()).oldest();
        this.memory = new VersionedMemory(
                options, new History(options, loaded.revision(), loaded.tree()), loaded.revision(), event -> {});
        this.waiters = new RevisionWaiters(loaded.revision());
        this.follower = new RemoteFollower(keys, memory, waiters, options, silence);
    }

    public static ObjectStore open(RemoteKeys keys, StoreOptions options, Map<String, Duration> lifetimes)
            throws StorageException {
        return open(keys, options, lifetimes, Duration.ofSeconds(10));
    }

    /**
     * Opens a store: loads everything and follows it.
     *
     * @param keys keys, owned by the store even if opening fails
     * @param lifetimes lifetimes after the last write, by resource; other objects do not expire
     * @param silence time after its last confirmation during which the memory counts as current
     */
    public static ObjectStore open(
            RemoteKeys keys, StoreOptions options, Map<String, Duration> lifetimes, Duration silence)
            throws StorageException {
        try {
            var store = new RemoteStore(keys, options, lifetimes, silence);
            store.memory.start();
            store.follower.start();
            try {
                store.latest();
            } catch (StorageException e) {
                store.close();
                throw e;
            }
            return store;
        } catch (StorageException e) {
            keys.close();
            throw e;
        }
    }

    @Override
    public Snapshot latest() throws StorageException {
        awaitExisting(newestRevision());
        return memory.latest();
    }

    @Override
    public Lookup at(long revision) throws StorageException {
        return awaitRevision(revision) ? memory.at(revision) : future();
    }

    @Override
    public Lookup notBefore(long revision) throws StorageException {
        return awaitRevision(revision) ? memory.notBefore(revision) : future();
    }

    private Lookup future() {
        return new Lookup.Future(memory.state().revision());
    }

    /** Waits for a revision, possibly just written by another server; returns whether it exists. */
    private boolean awaitRevision(long revision) throws StorageException {
        if (revision <= memory.state().revision()) {
            return true;
        }
        if (revision > newestRevision()) {
            return false;
        }
        awaitExisting(revision);
        return true;
    }

    private long newestRevision() throws StorageException {
        return RemoteLoader.await(newestRevision.send());
    }

    private void awaitExisting(long revision) throws StorageException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        long wait = TYPICAL_DELAY_MILLIS;
        while (memory.state().revision() < revision) {
            if (System.nanoTime() - deadline > 0) {
                throw new StorageException(
                        Kind.UNAVAILABLE, problem().orElse("changes up to revision " + revision + " did not arrive"));
            }
            try {
                waiters.of(revision).get(wait, TimeUnit.MILLISECONDS);
            } catch (TimeoutException late) {
                follower.requestProgress();
                wait = Math.min(wait * 4, 100);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StorageException(Kind.UNAVAILABLE, "interrupted while waiting for changes", e);
            }
        }
    }

    @Override
    public CompletableFuture<Outcome> submit(Transaction transaction) {
        StorageException refused = refused(transaction);
        if (refused != null) {
            return CompletableFuture.failedFuture(refused);
        }
        long began = System.nanoTime();
        CompletableFuture<Outcome> outcome = lease(transaction)
                .thenCompose(lease -> keys.write(remote(transaction, lease))
                        .whenComplete((written, failure) -> {
                            if (failure != null && lease != 0) {
                                leases.failed(failure);
                            }
                        })
                        .thenCompose(written -> outcome(transaction, written, began)))
                .exceptionallyCompose(failure -> RemoteLoader.failed(failure, Kind.UNCERTAIN));
        long number = submitted.incrementAndGet();
        inProgress.put(number, outcome);
        return outcome.whenComplete((done, failure) -> inProgress.remove(number));
    }

    private @Nullable StorageException refused(Transaction transaction) {
        if (closed) {
            return new StorageException(Kind.CLOSED, "the store is closed");
        }
        if (inProgress.size() >= MAX_PENDING_WRITES) {
            return new StorageException(Kind.OVERLOADED, "more than " + MAX_PENDING_WRITES + " writes are in progress");
        }
        byte[] value = transaction.value();
        if (value == null) {
            return null;
        }
        Tree tree = memory.state().tree();
        Entry next = new Entry(transaction.key(), value, 1);
        boolean fits = memory.hasRoom(tree, Map.of(), tree.get(transaction.key()), next, transaction.freesSpace());
        return fits ? null : memory.full(tree);
    }

    private CompletableFuture<Long> lease(Transaction transaction) {
        Duration lifetime = lifetimes.get(transaction.key().resource());
        return lifetime == null || transaction.value() == null
                ? CompletableFuture.completedFuture(0L)
                : leases.lease(lifetime);
    }

    private static RemoteWrite remote(Transaction transaction, long lease) {
        List<RemoteWrite.Expected> expected = transaction.expectations().stream()
                .map(one -> new RemoteWrite.Expected(RemoteObjects.key(one.key()), one.revision()))
                .toList();
        return new RemoteWrite(RemoteObjects.key(transaction.key()), transaction.value(), expected, lease);
    }

    private CompletableFuture<Outcome> outcome(Transaction transaction, WriteResult written, long began) {
        return switch (written) {
            case WriteResult.Done done -> {
                commits.committed(1, System.nanoTime() - began);
                verify(
                        transaction.key(),
                        transaction.value() == null ? Transaction.Expectation.ABSENT : done.revision(),
                        done.revision());
                yield waiters.of(done.revision())
                        .completeOnTimeout(null, MAX_DELAY_MILLIS, TimeUnit.MILLISECONDS)
                        .thenApply(arrived -> new Outcome.Committed(event(transaction, done)));
            }
            case WriteResult.Refused refused -> CompletableFuture.completedFuture(refusal(transaction, refused));
        };
    }

    /** Returns the published event, or an equal one if it has not been replicated yet. */
    private Event event(Transaction transaction, WriteResult.Done done) {
        Key key = transaction.key();
        for (Change change : memory.state().history().between(done.revision() - 1, done.revision())) {
            for (Event event : change.events()) {
                if (event.key().equals(key)) {
                    return event;
                }
            }
        }
        Entry previous = RemoteObjects.entry(key, done.previous());
        byte[] value = transaction.value();
        if (value != null) {
            return Event.of(previous, new Entry(key, value, done.revision()));
        }
        if (previous == null) {
            throw new IllegalStateException("nothing was deleted as " + key);
        }
        return Event.deletion(previous, done.revision());
    }

    private Outcome refusal(Transaction transaction, WriteResult.Refused refused) {
        List<Transaction.Expectation> expectations = transaction.expectations();
        for (int i = 0; i < expectations.size(); i++) {
            Transaction.Expectation expectation = expectations.get(i);
            Entry current =
                    RemoteObjects.entry(expectation.key(), refused.actual().get(i));
            long actual = current == null ? Transaction.Expectation.ABSENT : current.revision();
            if (expectation.revision() != actual) {
                verify(expectation.key(), actual, refused.revision());
                return new Outcome.Refused(expectation, current);
            }
        }
        throw new IllegalStateException("refused although everything was as expected");
    }

    /**
     * Once the memory has reached a revision, checks that it is not behind a known state of an object: then the feed has omitted a change.
     *
     * @param actual revision of the object at that revision, or {@link Transaction.Expectation#ABSENT}
     */
    private void verify(Key key, long actual, long revision) {
        var _ = waiters.of(revision).thenRun(() -> {
            StoreState state = memory.state();
            Entry known = state.tree().get(key);
            long inMemory = known == null ? Transaction.Expectation.ABSENT : known.revision();
            if (state.revision() >= revision
                    && inMemory != actual
                    && inMemory <= revision
                    && !isChanged(state, key, revision)) {
                follower.doubt();
            }
        });
    }

    /** Returns whether an object was changed after a revision, as far as the memory knows. */
    private static boolean isChanged(StoreState state, Key key, long revision) {
        return state.history().between(revision, state.revision()).stream()
                .flatMap(change -> change.events().stream())
                .anyMatch(event -> event.key().equals(key));
    }

    @Override
    public Watch watch(KeyRange range, long after, Runnable ready) {
        return memory.watch(range, after, ready);
    }

    @Override
    public AutoCloseable elect(LeaderTask task) {
        var election = new RemoteElection(keys, task, RemoteElection.Intervals.DEFAULT);
        election.start();
        return election;
    }

    @Override
    public Presence presence() {
        return new RemotePresence(keys, RemotePresence.DEFAULT);
    }

    @Override
    public double fullness() {
        return memory.fullness();
    }

    @Override
    public Optional<String> problem() {
        return follower.problem();
    }

    @Override
    public void countDerived(String namespace, long bytes) {
        memory.countDerived(namespace, bytes);
    }

    @Override
    public boolean isCurrent() {
        return memory.isCurrent() && follower.isCurrent();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            CompletableFuture.allOf(inProgress.values().toArray(CompletableFuture<?>[]::new))
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("a write in progress failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        follower.close();
        memory.close();
        keys.close();
    }
}
