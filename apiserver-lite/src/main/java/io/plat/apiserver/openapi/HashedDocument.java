package io.plat.apiserver.openapi;

import com.google.common.hash.Hashing;
import java.util.Locale;

/**
 * Document with a hash.
 *
 * @param bytes document; shared, not to be modified
 * @param hash hash of the state of the document, in upper-case hexadecimal digits
 */
// Not copied: the array is never modified, and documents are large.
@SuppressWarnings("ArrayRecordComponent")
public record HashedDocument(byte[] bytes, String hash) {
    public static HashedDocument of(byte[] bytes) {
        return new HashedDocument(bytes, hash(bytes));
    }

    static String hash(byte[] bytes) {
        return Hashing.sha256().hashBytes(bytes).toString().toUpperCase(Locale.ROOT);
    }
}
