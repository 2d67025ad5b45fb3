package io.plat.apiserver.storage.etcd;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One change of one key, made only if every expectation holds.
 *
 * @param key the key
 * @param bytes what to write, shared and not to be changed; null to remove the key
 * @param expectations what must hold
 * @param lease under which lease; 0 for none
 */
@SuppressWarnings("ArrayRecordComponent") // Shared on purpose, and never compared.
public record RemoteWrite(String key, byte @Nullable [] bytes, List<Expected> expectations, long lease) {
    /** A change. */
    public RemoteWrite(String key, byte @Nullable [] bytes, List<Expected> expectations, long lease) {
        this.key = key;
        this.bytes = bytes;
        this.expectations = List.copyOf(expectations);
        this.lease = lease;
    }

    /**
     * The state that a key must be in.
     *
     * @param key the key
     * @param revision the revision that wrote it; 0 if it must not exist
     */
    public record Expected(String key, long revision) {}
}
