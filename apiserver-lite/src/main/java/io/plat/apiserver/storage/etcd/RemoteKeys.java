package io.plat.apiserver.storage.etcd;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Versioned keys and values in etcd. Keys are relative to a prefix that the store owns, in the order of their UTF-8 bytes. All methods
 * are thread-safe and do not block; every future completes within a few seconds, exceptionally with a {@link
 * io.plat.apiserver.storage.StorageException}.
 */
public interface RemoteKeys extends AutoCloseable {
    /**
     * State of one key.
     *
     * @param bytes value, shared and not to be modified
     * @param lease its lease; 0 for none
     */
    @SuppressWarnings("ArrayRecordComponent") // Shared on purpose, and never compared.
    record Value(String key, byte[] bytes, long revision, long lease) {}

    /**
     * Values in the order of keys.
     *
     * @param more whether there are more
     */
    record Page(List<Value> values, boolean more, long revision) {
        public Page {
            values = List.copyOf(values);
        }
    }

    sealed interface ListResult {
        record Found(Page page) implements ListResult {}

        record Compacted() implements ListResult {}
    }

    /** Returns the newest revision agreed by a majority, linearizable. */
    default CompletableFuture<Long> revision() {
        return newest(Origin.KEY).thenApply(Newest::revision);
    }

    /** Returns the newest revision, with the revision that last wrote a key. */
    CompletableFuture<Newest> newest(String key);

    /**
     * Newest revisions.
     *
     * @param written revision that wrote the key; 0 if absent
     */
    record Newest(long revision, long written) {}

    /**
     * Returns values at a revision.
     *
     * @param after key after which to start; {@code ""} for the beginning
     * @param limit maximum number of values, at least 1
     * @param revision the revision; 0 for the newest
     */
    CompletableFuture<ListResult> list(String after, int limit, long revision);

    /** Returns the current state of a key; null if absent. */
    CompletableFuture<@Nullable Value> get(String key);

    /** Executes one transaction, if all keys are as expected. */
    CompletableFuture<WriteResult> write(RemoteWrite write);

    /**
     * Executes many changes in one transaction, under one revision.
     *
     * @param changes changes of distinct keys, without expectations; at most 128, and about a megabyte
     */
    CompletableFuture<Boolean> writeAll(List<RemoteWrite> changes, RemoteWrite.Expected condition);

    sealed interface WriteResult {
        /**
         * Success.
         *
         * @param previous previous state; null if there was none
         */
        record Done(long revision, @Nullable Value previous) implements WriteResult {}

        /**
         * An expectation was not met.
         *
         * @param actual actual states of the expected keys, in order; null for absent ones
         * @param revision revision of these states
         */
        record Refused(List<@Nullable Value> actual, long revision) implements WriteResult {}
    }

    /**
     * Watches all keys.
     *
     * @param from revision of the first reported change
     * @param listener called from one thread at a time; must not block
     */
    Feed follow(long from, FeedListener listener);

    /** Running watch, until closed or ended. */
    interface Feed extends AutoCloseable {
        /**
         * Requests progress: the listener is notified soon that everything up to the revision agreed by now was reported, whether it
         * changed a key or not.
         */
        void requestProgress();

        @Override
        void close();
    }

    /** Compacts up to a revision. Succeeds even if it is compacted already. */
    CompletableFuture<@Nullable Void> compact(long revision);

    /** Grants a lease: keys written under it are removed when it expires. */
    CompletableFuture<Long> lease(long seconds);

    /** Renews a lease; returns whether it had not expired yet. */
    CompletableFuture<Boolean> renew(long lease);

    /** Returns the remaining seconds of a lease; 0 or less if it has expired. */
    CompletableFuture<Long> remaining(long lease);

    CompletableFuture<@Nullable Void> release(long lease);

    /** Returns the size of the database in bytes, including data of others. */
    CompletableFuture<Long> size();

    @Override
    void close();
}
