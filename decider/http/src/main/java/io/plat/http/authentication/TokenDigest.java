package io.plat.http.authentication;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 of a token. Look-ups by digest have no timing side channel, and no token stays in memory.
 *
 * @param bytes the digest, one character per byte
 */
public record TokenDigest(String bytes) {
    public static TokenDigest of(String token) {
        return new TokenDigest(new String(sha256(token.getBytes(UTF_8)), ISO_8859_1));
    }

    /** Returns the SHA-256 of some bytes. */
    public static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
