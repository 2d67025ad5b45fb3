package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.StorageException;
import java.util.function.LongFunction;

/** A log that can be read. */
interface ChangeSource {
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
     * @param begin called once with the floor, the revision after which every change is kept; returns what takes all of it
     */
    void read(LongFunction<Reader> begin) throws StorageException;
}
