package io.plat.apiserver.storage;

import java.util.List;

/** Where changes become durable. Used by one thread at a time. */
interface ChangeLog extends AutoCloseable {
    /** Takes what was kept, in the order of revisions. */
    interface Reader {
        /**
         * One kept state or deletion.
         *
         * @param time when it was made, in milliseconds since the epoch
         * @param entry the state; for a deletion one with an empty value
         * @param deleted whether the key was removed
         */
        void change(long time, Entry entry, boolean deleted) throws StorageException;
    }

    /**
     * Reads everything that is kept.
     *
     * @return the revision after which every change is kept
     */
    long read(Reader reader) throws StorageException;

    /**
     * Makes changes durable, all or none, before it returns.
     *
     * @param changes what to add, in the order of revisions
     * @param floor the revision after which every change must be kept
     * @param obsolete revisions whose states are of no more use
     */
    void write(List<Change> changes, long floor, List<Long> obsolete) throws StorageException;

    @Override
    void close() throws StorageException;
}
