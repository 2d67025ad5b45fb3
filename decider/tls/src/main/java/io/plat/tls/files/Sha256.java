package io.plat.tls.files;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 digests. */
public final class Sha256 {
    private Sha256() {}

    /** Returns a digest without content. */
    public static MessageDigest empty() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /** Returns the digest of some bytes. */
    public static byte[] of(byte[] bytes) {
        return empty().digest(bytes);
    }

    /** Returns the digest of a text in UTF-8, as 64 hexadecimal digits. */
    public static String hex(String text) {
        return HexFormat.of().formatHex(of(text.getBytes(StandardCharsets.UTF_8)));
    }
}
