package io.plat.apiserver.storage;

import java.util.Optional;

/** Every object as it was at one revision. Immutable, for any number of threads. */
public interface Snapshot {
    /** The revision. */
    long revision();

    /**
     * The state of a key.
     *
     * @throws StorageException if the backend can't be asked
     */
    Optional<Entry> get(Key key) throws StorageException;

    /**
     * A page of a range, in the order of keys.
     *
     * @param range which objects
     * @param after only keys behind this path; {@code ""} from the beginning. It need not be the path of a key that exists
     * @param limit at most so many; 0 for all
     * @throws StorageException if the backend can't be asked
     */
    Page page(KeyRange range, String after, int limit) throws StorageException;

    /**
     * The number of objects in a range.
     *
     * @throws StorageException if the backend can't be asked
     */
    long count(KeyRange range) throws StorageException;
}
