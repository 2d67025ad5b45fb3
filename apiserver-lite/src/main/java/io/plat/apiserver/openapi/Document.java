package io.plat.apiserver.openapi;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;

/**
 * A document with a hash of its state.
 *
 * @param bytes the document; shared, and not to be changed
 * @param hash another one for each state of the document, in capital hexadecimal digits
 */
// The array is read, not changed; a copy for each read of a large document would be dear.
@SuppressWarnings("ArrayRecordComponent")
public record Document(byte[] bytes, String hash) {
    public Document {
        Objects.requireNonNull(bytes);
        Objects.requireNonNull(hash);
    }

    /** A document that is told apart by all that it says. */
    public static Document of(byte[] bytes) {
        return new Document(bytes, hash(bytes));
    }

    /** The digest of what documents are told apart by. */
    static String hash(byte[] bytes) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
                    .toUpperCase(Locale.ROOT);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
