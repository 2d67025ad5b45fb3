package io.plat.apiserver.storage.move;

import io.plat.apiserver.storage.Key;

/**
 * One object as a store keeps it.
 *
 * @param key where it is
 * @param bytes what it is, shared and not to be changed
 * @param seconds for how long it is still kept; {@link #LASTING} where that has no end
 */
@SuppressWarnings("ArrayRecordComponent") // Shared on purpose, and never compared.
public record Kept(Key key, byte[] bytes, long seconds) {
    /** It stays until it is deleted. */
    public static final long LASTING = 0;

    public Kept {
        if (seconds < 0) {
            throw new IllegalArgumentException("kept for " + seconds + " s");
        }
    }

    /** Returns whether it stays until it is deleted. */
    public boolean lasting() {
        return seconds == LASTING;
    }
}
