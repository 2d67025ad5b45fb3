package io.plat.apiserver.authentication.jwt;

import com.nimbusds.jose.jwk.JWKSet;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys of one issuer.
 *
 * @param keys in the order in which they are tried and shown, each once
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

    /** The keys that a token may be signed with: those it names, or all where it names none. */
    public List<VerificationKey> named(String id) {
        return id.isEmpty()
                ? keys
                : keys.stream().filter(key -> key.id().equals(id)).toList();
    }

    /** The algorithms of the keys, each once: RS256 for RSA, that of the curve for others. */
    public List<String> algorithms() {
        return keys.stream().map(key -> key.algorithm().getName()).distinct().toList();
    }

    /** The set as JSON in the form of RFC 7517, public halves alone. */
    public String document() {
        return new JWKSet(keys.stream().map(VerificationKey::jwk).toList()).toString(true);
    }
}
