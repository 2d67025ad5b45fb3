package io.plat.apiserver.storage.move;

import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What contents come to: two that are equal hold the same objects with the same bytes. How long objects are still kept is no part of it.
 *
 * @param objects how many
 * @param sha256 of keys and bytes, in the order of keys
 */
public record Sum(long objects, String sha256) {
    /** The sum of contents. */
    public static Sum of(Contents contents) throws StorageException {
        var running = new Running();
        contents.each(running::add);
        return running.sum();
    }

    /**
     * Makes sure that what was read back is what was written.
     *
     * @param read the sum of what was read
     * @return what was read
     * @throws StorageException of kind {@code CORRUPT} if it is something else
     */
    public Sum ensureReadBack(Sum read) throws StorageException {
        if (!read.equals(this)) {
            throw readBackDifferently();
        }
        return read;
    }

    /** The failure where something else is read than was written. */
    public static StorageException readBackDifferently() {
        return new StorageException(Kind.CORRUPT, "what was written is read back differently");
    }

    /** A sum that goes on; for one thread. */
    public static final class Running {
        private final MessageDigest digest = empty();
        private @Nullable Key last;
        private long objects;

        /**
         * Adds the next object.
         *
         * @throws IllegalArgumentException if it does not stand behind the one before
         */
        public void add(Kept kept) {
            Key before = last;
            if (before != null && before.compareTo(kept.key()) >= 0) {
                throw new IllegalArgumentException("out of order: " + kept.key());
            }
            last = kept.key();
            objects++;
            add(kept.key().path().getBytes(StandardCharsets.UTF_8));
            add(kept.bytes());
        }

        private void add(byte[] part) {
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
            digest.update(part);
        }

        /** Returns the sum of what was added so far. */
        public Sum sum() {
            try {
                return new Sum(objects, HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest()));
            } catch (CloneNotSupportedException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        /** Every Java platform has it. */
        private static MessageDigest empty() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
