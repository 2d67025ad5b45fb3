package io.plat.apiserver.storage;

import java.util.List;

/** Where changes become durable. Used by one thread at a time. */
interface ChangeLog extends ChangeSource, AutoCloseable {
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
