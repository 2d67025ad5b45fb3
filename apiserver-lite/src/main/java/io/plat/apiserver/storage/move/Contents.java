package io.plat.apiserver.storage.move;

import io.plat.apiserver.storage.StorageException;

/** Contents of a store at one revision. Not thread-safe. */
public interface Contents extends AutoCloseable {
    @FunctionalInterface
    interface ObjectConsumer {
        /** Consumes the next object, in the order of keys. */
        void accept(StoredObject object) throws StorageException;
    }

    /** Returns the revision, the latest that any client has seen. */
    long revision();

    /** Returns the approximate number of objects, for progress reports; 0 if unknown. */
    long objects();

    /**
     * Passes on every object. Repeated calls yield the same objects, except for expired ones.
     *
     * @throws StorageException if an object is unreadable or damaged
     */
    void forEach(ObjectConsumer consumer) throws StorageException;

    /**
     * Verifies that the contents are unchanged since they were opened.
     *
     * @throws StorageException if they may have changed
     */
    void ensureUnchanged() throws StorageException;

    @Override
    void close() throws StorageException;
}
