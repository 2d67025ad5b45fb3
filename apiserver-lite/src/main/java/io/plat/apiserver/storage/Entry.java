package io.plat.apiserver.storage;

/**
 * One object's state.
 *
 * @param key where the object is
 * @param value the object's bytes, shared by everybody and not to be changed: an object is serialized once, however many read it
 * @param revision the revision of the write that made this state
 */
@SuppressWarnings("ArrayRecordComponent") // Shared on purpose; two states are the same if they share it.
public record Entry(Key key, byte[] value, long revision) {
    private static final int OVERHEAD = 300;

    public Entry {
        if (revision <= 0) {
            throw new IllegalArgumentException("not a revision: " + revision);
        }
    }

    /** About how many bytes of memory it takes. */
    public long weight() {
        return value.length + 2L * key.path().length() + OVERHEAD;
    }

    @Override
    public String toString() {
        return key + "@" + revision;
    }
}
