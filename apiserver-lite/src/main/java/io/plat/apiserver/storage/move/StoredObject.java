package io.plat.apiserver.storage.move;

import io.plat.apiserver.storage.Key;

/**
 * Stored object.
 *
 * @param bytes value, shared and not to be modified
 * @param seconds remaining lifetime; {@link #NO_EXPIRY} for none
 */
@SuppressWarnings("ArrayRecordComponent") // Shared on purpose, and never compared.
public record StoredObject(Key key, byte[] bytes, long seconds) {
    /** Lifetime of an object without expiry. */
    public static final long NO_EXPIRY = 0;

    public StoredObject {
        if (seconds < 0) {
            throw new IllegalArgumentException("negative lifetime: " + seconds + " s");
        }
    }

    public boolean isPermanent() {
        return seconds == NO_EXPIRY;
    }
}
