package io.plat.apiserver.storage;

/** Where what was kept can be read. */
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
     * @return the revision after which every change is kept
     */
    long read(Reader reader) throws StorageException;
}
