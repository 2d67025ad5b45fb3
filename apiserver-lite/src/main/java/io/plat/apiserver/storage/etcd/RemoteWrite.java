package io.plat.apiserver.storage.etcd;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Change of one key, made only if every expectation is met.
 *
 * @param bytes value to write, shared and not to be modified; null to remove the key
 * @param lease lease of the key; 0 for none
 */
@SuppressWarnings("ArrayRecordComponent") // Shared on purpose, and never compared.
public record RemoteWrite(String key, byte @Nullable [] bytes, List<Expected> expectations, long lease) {
    public RemoteWrite(String key, byte @Nullable [] bytes, List<Expected> expectations, long lease) {
        this.key = key;
        this.bytes = bytes;
        this.expectations = List.copyOf(expectations);
        this.lease = lease;
    }

    /**
     * Expected state of a key.
     *
     * @param revision revision that wrote it; 0 if it must not exist
     */
    public record Expected(String key, long revision) {}
}
