package io.plat.apiserver.storage;

/**
 * State of one object.
 *
 * @param value bytes of the object, shared and not to be modified: an object is serialized once for all readers
 * @param revision revision of the write that created this state
 */
@SuppressWarnings("ArrayRecordComponent") // Shared on purpose; states are equal if they share it.
public record Entry(Key key, byte[] value, long revision) {
    private static final int OVERHEAD = 300;

    public Entry {
        if (revision <= 0) {
            throw new IllegalArgumentException("not a revision: " + revision);
        }
    }

    /** Returns the approximate memory that it takes, in bytes. */
    public long weight() {
        return value.length + 2L * key.path().length() + OVERHEAD;
    }

    @Override
    public String toString() {
        return key + "@" + revision;
    }
}
