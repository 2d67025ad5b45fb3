package io.plat.http.authentication;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.plat.tls.files.Sha256;

/**
 * SHA-256 of a token. Lookups by digest have no timing side channel, and no token stays in memory.
 *
 * @param bytes the digest, one character per byte
 */
public record TokenDigest(String bytes) {
    public static TokenDigest of(String token) {
        return new TokenDigest(new String(Sha256.of(token.getBytes(UTF_8)), ISO_8859_1));
    }
}
