package io.plat.apiserver.openapi;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;

/** A document with what tells it apart from every other state of it. */
public final class Document {
    private final byte[] bytes;
    private final String hash;

    Document(byte[] bytes, String hash) {
        this.bytes = Objects.requireNonNull(bytes);
        this.hash = Objects.requireNonNull(hash);
    }

    /** A document that is told apart by all that it says. */
    public static Document of(byte[] bytes) {
        return new Document(bytes, hash(bytes));
    }

    /** The document; shared, and not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** Another one for each state of the document, in capital hexadecimal digits. */
    public String hash() {
        return hash;
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
