package io.plat.apiserver.storage.etcd;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hears of changes, in the order of revisions. */
public interface FeedListener {
    /**
     * A change of one key.
     *
     * @param bytes its new value, shared and not to be changed; null if it was removed
     * @param revision the revision of the change
     */
    @SuppressWarnings("ArrayRecordComponent") // Shared on purpose, and never compared.
    record Changed(String key, byte @Nullable [] bytes, long revision) {}

    /** The next changes; all of each revision together. */
    void changed(List<Changed> changes);

    /** Everything up to a revision was reported. */
    void progressed(long revision);

    /** The feed has ended, and nothing more is reported. */
    void ended(Ended why);

    /** Why a feed ends. */
    sealed interface Ended {
        /** What it began with is no longer kept. */
        record Compacted() implements Ended {}

        /**
         * The connection failed, or the other side ended it.
         *
         * @param message one line for operators
         */
        record Broken(String message) implements Ended {}
    }
}
