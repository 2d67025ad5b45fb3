package io.plat.apiserver.storage.move;

import io.plat.apiserver.storage.StorageException;

/** Everything that a store keeps, at one revision. Used by one thread. */
public interface Contents extends AutoCloseable {
    /** Takes one object after the other. */
    @FunctionalInterface
    interface Taker {
        /**
         * The next object, in the order of keys.
         *
         * @throws StorageException if it can't be taken
         */
        void take(Kept kept) throws StorageException;
    }

    /** No client has seen a later revision of it. */
    long revision();

    /** About how many objects there are, for whoever waits; 0 where that is not known. */
    long objects();

    /**
     * Hands every object on; any number of times, each time the same ones but for those that are no longer kept.
     *
     * @throws StorageException if one can't be read, or is not as it was written
     */
    void each(Taker taker) throws StorageException;

    /**
     * Makes sure that nothing was written to it since it was opened.
     *
     * @throws StorageException if something may have been
     */
    void ensureUnchanged() throws StorageException;

    @Override
    void close() throws StorageException;
}
