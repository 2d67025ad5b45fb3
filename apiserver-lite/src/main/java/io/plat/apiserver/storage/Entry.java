package io.plat.apiserver.storage;

import java.util.Objects;

/**
 * One object's state: its key, its bytes and the revision that wrote them. The array is shared by everybody and must not be
 * changed: an object is serialized once, however many read it.
 */
public final class Entry {
    private static final int OVERHEAD = 300;

    private final Key key;
    private final byte[] value;
    private final long revision;

    /** A state. The array is taken over, not copied. */
    public Entry(Key key, byte[] value, long revision) {
        this.key = Objects.requireNonNull(key);
        this.value = Objects.requireNonNull(value);
        this.revision = revision;
        if (revision <= 0) {
            throw new IllegalArgumentException("not a revision: " + revision);
        }
    }

    /** Where the object is. */
    public Key key() {
        return key;
    }

    /** The object's bytes, shared: not to be changed. */
    public byte[] value() {
        return value;
    }

    /** The revision of the write that made this state. */
    public long revision() {
        return revision;
    }

    /** About how many bytes of memory it takes. */
    long weight() {
        return value.length + 2L * key.path().length() + OVERHEAD;
    }

    @Override
    public String toString() {
        return key + "@" + revision;
    }
}
