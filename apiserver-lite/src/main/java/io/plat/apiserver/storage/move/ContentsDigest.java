package io.plat.apiserver.storage.move;

import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.tls.files.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Digest of contents: contents with equal digests have the same objects with the same bytes, regardless of their remaining lifetimes.
 *
 * @param sha256 hash of keys and bytes, in the order of keys
 */
public record ContentsDigest(long objects, String sha256) {
    public static ContentsDigest of(Contents contents) throws StorageException {
        var running = new Accumulator();
        contents.forEach(running::add);
        return running.digest();
    }

    /**
     * Verifies that what was read back equals what was written.
     *
     * @throws StorageException of kind {@code CORRUPT} if it differs
     */
    public ContentsDigest ensureReadBack(ContentsDigest read) throws StorageException {
        if (!read.equals(this)) {
            throw readBackFailure();
        }
        return read;
    }

    public static StorageException readBackFailure() {
        return new StorageException(Kind.CORRUPT, "the data that was read back differs from the data that was written");
    }

    /** Incremental digest; not thread-safe. */
    public static final class Accumulator {
        private final MessageDigest digest = Sha256.empty();
        private @Nullable Key last;
        private long objects;

        /**
         * Adds the next object.
         *
         * @throws IllegalArgumentException unless its key follows the previous one
         */
        public void add(StoredObject object) {
            Key before = last;
            if (before != null && before.compareTo(object.key()) >= 0) {
                throw new IllegalArgumentException("out of order: " + object.key());
            }
            last = object.key();
            objects++;
            add(object.key().path().getBytes(StandardCharsets.UTF_8));
            add(object.bytes());
        }

        private void add(byte[] part) {
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
            digest.update(part);
        }

        /** Returns the digest of the objects added so far. */
        public ContentsDigest digest() {
            try {
                return new ContentsDigest(objects, HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest()));
            } catch (CloneNotSupportedException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
