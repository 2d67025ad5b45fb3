package io.plat.apiserver.storage.remote;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hears of changes, in the order of revisions. */
public interface FeedListener {
    /** A change of one key. The array is shared and must not be changed. */
    final class Changed {
        private final String key;
        private final byte @Nullable [] bytes;
        private final long revision;

        /** A change; no bytes where the key was removed. The array is taken over. */
        public Changed(String key, byte @Nullable [] bytes, long revision) {
            this.key = key;
            this.bytes = bytes;
            this.revision = revision;
        }

        /** The key. */
        public String key() {
            return key;
        }

        /** Its new value; null if it was removed. */
        public byte @Nullable [] bytes() {
            return bytes;
        }

        /** The revision of the change. */
        public long revision() {
            return revision;
        }
    }

    /** The next changes; all of each revision together. */
    void changed(List<Changed> changes);

    /** Everything up to a revision was told. */
    void progressed(long revision);

    /** The feed has ended, and nothing more is told. */
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
