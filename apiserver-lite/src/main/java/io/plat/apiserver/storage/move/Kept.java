package io.plat.apiserver.storage.move;

import io.plat.apiserver.storage.Key;
import java.util.Objects;

/** One object as a store keeps it. The array is shared and must not be changed. */
public final class Kept {
    /** It stays until it is deleted. */
    public static final long LASTING = 0;

    private final Key key;
    private final byte[] bytes;
    private final long seconds;

    /**
     * An object; the array is taken over.
     *
     * @param seconds for how long it is still kept; {@link #LASTING} where that has no end
     */
    public Kept(Key key, byte[] bytes, long seconds) {
        this.key = Objects.requireNonNull(key);
        this.bytes = Objects.requireNonNull(bytes);
        this.seconds = seconds;
        if (seconds < 0) {
            throw new IllegalArgumentException("kept for " + seconds + " s");
        }
    }

    /** Where it is. */
    public Key key() {
        return key;
    }

    /** What it is. */
    public byte[] bytes() {
        return bytes;
    }

    /** For how many seconds it is still kept; {@link #LASTING} where that has no end. */
    public long seconds() {
        return seconds;
    }

    /** Whether it stays until it is deleted. */
    public boolean lasting() {
        return seconds == LASTING;
    }
}
