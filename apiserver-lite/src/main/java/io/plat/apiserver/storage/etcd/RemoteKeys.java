package io.plat.apiserver.storage.etcd;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values under one revision in other processes. Keys are relative to a prefix that belongs to the store alone, in the order of
 * their UTF-8 bytes. All methods are for any number of threads and do not wait; every future ends within a few seconds,
 * exceptionally with a {@link io.plat.apiserver.storage.StorageException}.
 */
public interface RemoteKeys extends AutoCloseable {
    /**
     * One key's state.
     *
     * @param bytes what is kept under it, shared and not to be changed
     * @param revision the revision that wrote it
     * @param lease the lease that it goes with; 0 for none
     */
    @SuppressWarnings("ArrayRecordComponent") // Shared on purpose, and never compared.
    record Value(String key, byte[] bytes, long revision, long lease) {
        /** A state under no lease. */
        public Value(String key, byte[] bytes, long revision) {
            this(key, bytes, revision, 0);
        }
    }

    /**
     * Some values, in the order of keys.
     *
     * @param values the values
     * @param more whether there are others behind them
     * @param revision the revision that is shown
     */
    record Page(List<Value> values, boolean more, long revision) {
        public Page {
            values = List.copyOf(values);
        }
    }

    /** Result of a list. */
    sealed interface Listed {
        /** Here it is. */
        record Found(Page page) implements Listed {}

        /** The revision can't be read any more. */
        record Compacted() implements Listed {}
    }

    /** The newest revision that a majority has agreed on, asked for after the call. */
    CompletableFuture<Long> revision();

    /** Returns the newest revision, with the revision that wrote a key as it is then. */
    CompletableFuture<Newest> newest(String key);

    /**
     * How things stand.
     *
     * @param revision the newest revision
     * @param written the revision that wrote the key; 0 if there is none
     */
    record Newest(long revision, long written) {}

    /**
     * Values as they were at a revision.
     *
     * @param after only keys behind this one; {@code ""} from the beginning
     * @param limit at most so many, at least 1
     * @param revision the revision; 0 for the newest
     */
    CompletableFuture<Listed> list(String after, int limit, long revision);

    /** One key now; null inside if there is none. */
    CompletableFuture<@Nullable Value> get(String key);

    /** One transaction: nothing happens unless every key is as expected. */
    CompletableFuture<Written> write(RemoteWrite write);

    /**
     * Many changes in one transaction, all under one revision.
     *
     * @param changes of different keys, without expectations of their own; at most 128 and of about a megabyte
     * @param condition what must hold
     * @return whether it held
     */
    CompletableFuture<Boolean> writeAll(List<RemoteWrite> changes, RemoteWrite.Expected condition);

    /** Result of a write. */
    sealed interface Written {
        /**
         * It happened.
         *
         * @param revision its revision
         * @param previous what was there before; null if there was nothing
         */
        record Done(long revision, @Nullable Value previous) implements Written {}

        /**
         * Something was not as expected.
         *
         * @param actual what each expected key is instead, in the order of the expectations; null for what does not exist
         */
        record Refused(List<@Nullable Value> actual) implements Written {}
    }

    /**
     * Follows every change of every key.
     *
     * @param from the revision of the first change that is reported
     * @param listener called from one thread at a time; must not wait
     */
    Feed follow(long from, FeedListener listener);

    /** Reports changes until it is closed or ends. */
    interface Feed extends AutoCloseable {
        /** Has the feed report to the listener how far it is, soon: of every revision that is agreed on by now, whether it changed a key or not. */
        void ask();

        @Override
        void close();
    }

    /** Forgets what was before a revision. Completes although somebody else has done so already. */
    CompletableFuture<@Nullable Void> compact(long revision);

    /** Begins a lease: what is written under it goes when it ends. */
    CompletableFuture<Long> lease(long seconds);

    /** Prolongs a lease; whether it had not ended yet. */
    CompletableFuture<Boolean> prolong(long lease);

    /** Returns the number of seconds that a lease has left; 0 or less if it has ended. */
    CompletableFuture<Long> remaining(long lease);

    /** Ends a lease, and what was written under it. */
    CompletableFuture<@Nullable Void> release(long lease);

    /** Returns the number of bytes that everything takes where it is kept, what belongs to others included. */
    CompletableFuture<Long> size();

    @Override
    void close();
}
