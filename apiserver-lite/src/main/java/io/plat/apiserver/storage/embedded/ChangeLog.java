package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Change;
import io.plat.apiserver.storage.StorageException;
import java.util.List;

/** A log in which changes become durable. Used by one thread at a time. */
interface ChangeLog extends ChangeSource, AutoCloseable {
    /**
     * Makes changes durable, all or none, before it returns.
     *
     * @param changes what to add, in the order of revisions
     * @param floor the revision after which every change must be kept
     * @param obsolete revisions whose states are of no more use
     */
    void write(List<Change> changes, long floor, List<Long> obsolete) throws StorageException;

    /**
     * Begins anew after a failure that left open what was written.
     *
     * @param revision the last one that was acknowledged; what was written beyond it is taken back
     */
    default void recover(long revision) throws StorageException {}

    /** Takes the room that {@link #giveUpSpareRoom} gives up, unless it is taken. */
    default void takeSpareRoom() throws StorageException {}

    /** Gives up the room that is kept for deletions; whether there was any. */
    default boolean giveUpSpareRoom() {
        return false;
    }

    @Override
    void close() throws StorageException;
}
