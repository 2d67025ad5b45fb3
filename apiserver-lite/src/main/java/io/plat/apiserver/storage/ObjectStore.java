package io.plat.apiserver.storage;

import io.plat.apiserver.storage.StorageException.Kind;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Objects under one global revision, durable, with their recent history.
 *
 * <p>Every change takes the next revision; revisions only grow, across restarts and compaction too. What a read shows is
 * durable. A read that starts after a write was acknowledged sees it. All methods are for any number of threads.
 */
public interface ObjectStore extends AutoCloseable {
    /**
     * The newest state: everything that was acknowledged before the call, through whatever process.
     *
     * @throws StorageException if the backend can't be asked
     */
    Snapshot latest() throws StorageException;

    /**
     * The state at exactly one revision.
     *
     * @param revision at least 1
     * @throws StorageException if the backend can't be asked
     */
    Lookup at(long revision) throws StorageException;

    /**
     * A state that is at least as new as a revision, as cheaply as it can be had; it may be older than {@link #latest()}.
     *
     * @param revision 0 for any state; never answered with {@link Lookup.Gone}
     * @throws StorageException if the backend can't be asked
     */
    Lookup notBefore(long revision) throws StorageException;

    /** Returns whether reading never waits: neither these methods, nor those of the snapshots they give. */
    default boolean readsFromMemory() {
        return false;
    }

    /**
     * Starts a transaction. Many that are under way share one synchronisation of the disk.
     *
     * @return completes once the change is durable and visible, or was refused; exceptionally with a {@link StorageException},
     *     after which the change may have happened only where that says so
     */
    CompletableFuture<Outcome> submit(Transaction transaction);

    /**
     * A transaction, waited for.
     *
     * @throws StorageException if it could not be made
     */
    default Outcome commit(Transaction transaction) throws StorageException {
        return await(submit(transaction));
    }

    /**
     * Waits for a transaction that was started.
     *
     * @throws StorageException if it could not be made
     */
    static Outcome await(CompletableFuture<Outcome> started) throws StorageException {
        try {
            return started.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StorageException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(
                    Kind.UNCERTAIN, "interrupted while a write was under way: it may have happened", e);
        }
    }

    /**
     * Follows the changes of a range.
     *
     * @param range whose changes
     * @param after only changes after this revision, which may be the newest; a revision that is gone shows in the first poll
     * @param ready called, from a thread of the store, when there is something to poll; must return at once and not throw. The
     *     first poll need not wait for it
     */
    Watch watch(KeyRange range, long after, Runnable ready);

    /**
     * Has work done that one process does for all that share the store: here from now on where nobody shares it; else while this
     * process is elected, from a thread of the store. Ends with what is returned, which is to be closed before the store.
     */
    default AutoCloseable elect(Duty duty) {
        return new Duty.Running(duty);
    }

    /** Returns the processes that work on the store. To be closed before the store. */
    default Presence presence() {
        return new Presence.Alone();
    }

    /** Returns the reason why the store accepts no writes, as one line; empty while it does. */
    Optional<String> problem();

    /** Returns whether memory, and what watches are notified of, is what the store holds, but for changes of the last moments. From memory. */
    boolean isCurrent();

    /** Finishes the writes under way and lets go of everything. Later writes are refused. */
    @Override
    void close() throws StorageException;
}
