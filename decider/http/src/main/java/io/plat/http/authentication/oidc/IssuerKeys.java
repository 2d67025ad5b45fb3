package io.plat.http.authentication.oidc;

import io.plat.http.authentication.jwt.KeySet;
import java.util.Optional;

/** Known keys of an issuer. Thread-safe. */
public interface IssuerKeys extends AutoCloseable {
    /** Returns the known keys; empty before the first load. Never blocks. */
    Optional<KeySet> known();

    /** Returns whether a lookup of this key would send a request to the issuer. */
    default boolean wouldFetch(String id) {
        return false;
    }

    /** Returns the keys, after requesting an unknown key from the issuer if a request is due; blocks for a bounded time. */
    default Optional<KeySet> withKey(String id) {
        return known();
    }

    @Override
    void close();
}
