package io.plat.apiserver.storage.etcd;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Listener for changes, in the order of revisions. */
public interface FeedListener {
    /**
     * Change of one key.
     *
     * @param bytes new value, shared and not to be modified; null if the key was removed
     */
    @SuppressWarnings("ArrayRecordComponent") // Shared on purpose, and never compared.
    record Changed(String key, byte @Nullable [] bytes, long revision) {}

    /** Notifies of the next changes; all of a revision together. */
    void changed(List<Changed> changes);

    /** Notifies that everything up to a revision was reported. */
    void progressed(long revision);

    /** Notifies that the feed has ended; there are no further calls. */
    void ended(Ended reason);

    sealed interface Ended {
        record Compacted() implements Ended {}

        /** The connection failed, or the other side closed it. */
        record Broken(String message) implements Ended {}
    }
}
