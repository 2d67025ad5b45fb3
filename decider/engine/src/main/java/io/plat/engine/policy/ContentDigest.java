package io.plat.engine.policy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names a content: equal contents have equal names. */
final class ContentDigest {
    /** Hexadecimal digits of a name: enough to tell states apart, few enough to read out. */
    private static final int DIGITS = 12;

    private final MessageDigest digest;

    ContentDigest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Adds a part; its length goes in too, so that no two lists of parts run together. */
    void add(String part) {
        add(part.getBytes(StandardCharsets.UTF_8));
    }

    /** The same of a part that is bytes. */
    void add(byte[] bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
    }

    /** The name of everything added; the digest is used up. */
    String name() {
        return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
    }
}
