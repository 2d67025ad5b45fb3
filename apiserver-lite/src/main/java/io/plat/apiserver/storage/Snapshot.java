package io.plat.apiserver.storage;

import java.util.Optional;

/** All objects at one revision. Immutable and thread-safe. */
public interface Snapshot {
    long revision();

    /**
     * Returns the state of a key.
     *
     * @throws StorageException if the backend is unavailable
     */
    Optional<Entry> get(Key key) throws StorageException;

    /**
     * Returns a page of a range, in order of keys.
     *
     * @param after path after which to start; {@code ""} for the beginning. Need not be that of an existing key
     * @param limit maximum number of objects; 0 for all
     * @throws StorageException if the backend is unavailable
     */
    Page page(KeyRange range, String after, int limit) throws StorageException;

    /**
     * Returns the number of objects in a range.
     *
     * @throws StorageException if the backend is unavailable
     */
    long count(KeyRange range) throws StorageException;
}
