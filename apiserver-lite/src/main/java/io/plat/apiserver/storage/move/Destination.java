package io.plat.apiserver.storage.move;

import io.plat.apiserver.storage.StorageException;

/** Destination of contents: an unused store, or a file. */
public interface Destination {
    /**
     * Replaces the contents of this destination. Afterwards either everything was written and verified by reading it back, or the
     * destination is unchanged or marked as incomplete.
     *
     * @param minRevision revision that all new revisions of the store exceed
     * @return digest of what was read back
     */
    ContentsDigest write(Contents contents, long minRevision) throws StorageException;
}
