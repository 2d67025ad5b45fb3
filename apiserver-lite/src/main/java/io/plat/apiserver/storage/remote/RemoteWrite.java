package io.plat.apiserver.storage.remote;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One change of one key, made only if every expectation holds. */
public final class RemoteWrite {
    private final String key;
    private final byte @Nullable [] bytes;
    private final List<Expected> expectations;
    private final long lease;

    /**
     * A change.
     *
     * @param key the key
     * @param bytes what to write, not to be changed any more; null to remove the key
     * @param expectations what must hold
     * @param lease under which lease; 0 for none
     */
    public RemoteWrite(String key, byte @Nullable [] bytes, List<Expected> expectations, long lease) {
        this.key = Objects.requireNonNull(key);
        this.bytes = bytes;
        this.expectations = List.copyOf(expectations);
        this.lease = lease;
    }

    /** The key. */
    public String key() {
        return key;
    }

    /** What to write, shared; null to remove the key. */
    public byte @Nullable [] bytes() {
        return bytes;
    }

    /** What must hold. */
    public List<Expected> expectations() {
        return expectations;
    }

    /** Under which lease; 0 for none. */
    public long lease() {
        return lease;
    }

    /**
     * The state that a key must be in.
     *
     * @param key the key
     * @param revision the revision that wrote it; 0 if it must not exist
     */
    public record Expected(String key, long revision) {}
}
