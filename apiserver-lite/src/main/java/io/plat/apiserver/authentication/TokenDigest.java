package io.plat.apiserver.authentication;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A token by its SHA-256: how long a look-up takes says nothing about how much of a guess is right, and no token stays in memory.
 *
 * @param bytes the digest, a character a byte
 */
public record TokenDigest(String bytes) {
    /** The digest of a token. */
    public static TokenDigest of(String token) {
        return new TokenDigest(new String(sha256(token.getBytes(UTF_8)), ISO_8859_1));
    }

    /** The SHA-256 of some bytes. */
    public static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
