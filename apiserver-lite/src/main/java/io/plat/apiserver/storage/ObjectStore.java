package io.plat.apiserver.storage;

import io.plat.apiserver.storage.StorageException.Kind;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Durable objects under one global revision, with recent history.
 *
 * <p>Every change takes the next revision; revisions always increase, across restarts and compaction too. Reads return only durable
 * states. A read that starts after a write was acknowledged sees it. All methods are thread-safe.
 */
public interface ObjectStore extends AutoCloseable {
    /** Returns the newest state, including all writes acknowledged before the call, by any process. */
    Snapshot latest() throws StorageException;

    /**
     * Returns the state at exactly one revision.
     *
     * @param revision revision, at least 1
     */
    Lookup at(long revision) throws StorageException;

    /**
     * Returns a state that is at least as new as a revision, as cheaply as possible; it may be older than {@link #latest()}.
     *
     * @param revision 0 for any state; the result is never {@link Lookup.Gone}
     */
    Lookup notBefore(long revision) throws StorageException;

    /** Returns whether reads never block: neither these methods, nor those of their snapshots. */
    default boolean readsFromMemory() {
        return false;
    }

    /**
     * Starts a transaction. Concurrent transactions share a disk sync.
     *
     * @return future that completes once the change is durable and visible, or was refused; exceptionally with a {@link
     *     StorageException}, after which the change may have happened only if its kind is {@code UNCERTAIN}
     */
    CompletableFuture<Outcome> submit(Transaction transaction);

    default Outcome commit(Transaction transaction) throws StorageException {
        return await(submit(transaction));
    }

    /** Returns the value of a key, created if absent; the same for all servers of a store. Not to be modified. */
    default byte[] getOrCreate(Key key, Supplier<byte[]> initial) throws StorageException {
        Optional<Entry> entry = latest().get(key);
        if (entry.isEmpty()) {
            // Refused if another server was first; its value is used then.
            commit(Transaction.create(key, initial.get()));
            entry = latest().get(key);
        }
        return entry.orElseThrow(() -> new IllegalStateException("a stored value has disappeared: " + key))
                .value();
    }

    static Outcome await(CompletableFuture<Outcome> started) throws StorageException {
        return await(started, Kind.UNCERTAIN, "interrupted during a write: it may have happened");
    }

    static <T extends @Nullable Object> T await(CompletableFuture<T> started, Kind interrupted, String message)
            throws StorageException {
        try {
            return started.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StorageException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(interrupted, message, e);
        }
    }

    /**
     * Watches the changes of a range.
     *
     * @param after revision after which to start, possibly the newest; if it is compacted, the first poll returns that
     * @param ready called, from a thread of the store, when there are changes to poll; must return immediately and not throw. The first
     *     poll need not wait for it
     */
    Watch watch(KeyRange range, long after, Runnable ready);

    /**
     * Performs a duty on exactly one of the processes that share the store: immediately without other processes; otherwise while this
     * process is elected, from a thread of the store. Ends when the result is closed, which must precede closing the store.
     */
    default AutoCloseable elect(LeaderTask task) {
        return task.start()::close;
    }

    /** Returns the presence of processes on the store. To be closed before the store. */
    default Presence presence() {
        return new Presence.SingleProcess();
    }

    /** Returns the one-line reason why the store accepts no writes; empty while it does. */
    Optional<String> problem();

    /** Returns the share of the memory limit of objects that is in use; beyond 1 no objects can be added. */
    default double fullness() {
        return 0;
    }

    /**
     * Counts memory that is derived from the objects of a namespace, and grows with them, towards the memory limit of objects.
     *
     * @param namespace the namespace; {@code ""} for cluster-scoped objects
     * @param bytes allocated bytes; negative if they are released
     */
    default void countDerived(String namespace, long bytes) {}

    /** Returns whether memory and watches reflect the contents of the store, except for the last moments. From memory. */
    boolean isCurrent();

    /** Completes writes in progress and releases all resources. Later writes are refused. */
    @Override
    void close() throws StorageException;
}
