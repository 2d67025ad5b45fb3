package io.plat.http.authentication.jwt;

import com.nimbusds.jose.jwk.JWKSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys of one issuer.
 *
 * @param keys distinct keys in the order in which they are tried and published
 */
public record KeySet(List<VerificationKey> keys) {
    public KeySet {
        List<VerificationKey> distinct = new ArrayList<>();
        for (VerificationKey key : keys) {
            if (distinct.stream()
                    .noneMatch(
                            other -> other.id().equals(key.id()) && other.key().equals(key.key()))) {
                distinct.add(key);
            }
        }
        keys = List.copyOf(distinct);
    }

    /** Returns the keys with an id; all of them if a token names none. */
    public List<VerificationKey> named(String id) {
        return id.isEmpty()
                ? keys
                : keys.stream().filter(key -> key.id().equals(id)).toList();
    }

    /** Returns the distinct algorithms of the keys: RS256 for RSA, that of the curve for others. */
    public List<String> algorithms() {
        return keys.stream().map(key -> key.algorithm().getName()).distinct().toList();
    }

    /** Returns the public keys as JSON (RFC 7517). */
    public String document() {
        return new JWKSet(keys.stream().map(VerificationKey::jwk).toList()).toString(true);
    }
}
