package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Change;
import io.plat.apiserver.storage.StorageException;
import java.util.List;
import java.util.function.LongFunction;

/** Log that makes changes durable. Used by one thread at a time. */
interface ChangeLog extends ChangeSource, AutoCloseable {
    /**
     * Makes changes durable, atomically, before it returns.
     *
     * @param changes changes to append, in the order of revisions
     * @param floor revision after which every change must be kept
     * @param obsolete revisions whose states are no longer needed
     */
    void write(List<Change> changes, long floor, List<Long> obsolete) throws StorageException;

    /**
     * Recovers after a write whose result is unknown.
     *
     * @param revision last acknowledged revision; later writes are rolled back
     */
    default void recover(long revision) throws StorageException {}

    /**
     * Requires that no other process can have taken over the log.
     *
     * @throws StorageException of kind {@link StorageException.Kind#LOST} if one can, else if that is unknown
     */
    default void requireLock() throws StorageException {}

    /** Reserves the space that {@link #releaseReservedSpace} releases, unless it is reserved. */
    default void reserveSpace() throws StorageException {}

    /** Releases the space reserved for deletions; returns whether there was any. */
    default boolean releaseReservedSpace() {
        return false;
    }

    @Override
    void close() throws StorageException;

    /** Log of a store that is not durable. */
    final class VolatileLog implements ChangeLog {
        @Override
        public void read(LongFunction<Reader> begin) {
            var _ = begin.apply(0);
        }

        @Override
        public void write(List<Change> changes, long floor, List<Long> obsolete) {}

        @Override
        public void close() {}
    }
}
