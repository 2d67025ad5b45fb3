package io.plat.apiserver.storage.move;

import io.plat.apiserver.storage.StorageException;

/** A destination of contents: a store that no server uses, or a file. */
public interface Destination {
    /**
     * Takes contents in, in place of everything that is there. Either all of it is there afterwards, was read back and is the same, or nobody
     * can use what is there.
     *
     * @param behind every revision that the store gives from now on is larger
     * @return what was read back
     * @throws StorageException if it could not be done
     */
    Sum take(Contents contents, long behind) throws StorageException;
}
