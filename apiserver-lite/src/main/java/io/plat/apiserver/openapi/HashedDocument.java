package io.plat.apiserver.openapi;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;

/**
 * Document with a hash.
 *
 * @param bytes document; shared, not to be modified
 * @param hash hash of the state of the document, in upper-case hexadecimal digits
 */
// Not copied: the array is never modified, and documents are large.
@SuppressWarnings("ArrayRecordComponent")
public record HashedDocument(byte[] bytes, String hash) {
    public HashedDocument {
        Objects.requireNonNull(bytes);
        Objects.requireNonNull(hash);
    }

    public static HashedDocument of(byte[] bytes) {
        return new HashedDocument(bytes, hash(bytes));
    }

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
