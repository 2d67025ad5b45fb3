package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.StorageException;
import java.util.function.LongFunction;

/** Readable log. */
interface ChangeSource {
    /** Consumer of entries, in the order of revisions. */
    interface Reader {
        /**
         * Consumes a state or deletion.
         *
         * @param time time of the change, in milliseconds since the epoch
         * @param entry state; for a deletion one with an empty value
         */
        void change(long time, Entry entry, boolean deleted) throws StorageException;
    }

    /**
     * Reads all entries.
     *
     * @param begin called once with the floor, the revision after which every change is kept; returns the consumer
     */
    void read(LongFunction<Reader> begin) throws StorageException;
}
