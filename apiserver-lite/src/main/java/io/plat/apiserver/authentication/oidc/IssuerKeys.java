package io.plat.apiserver.authentication.oidc;

import io.plat.apiserver.authentication.jwt.KeySet;
import java.util.Optional;

/** The keys of an issuer, as far as they are known. For any number of threads. */
public interface IssuerKeys extends AutoCloseable {
    /** The keys that are known; empty while none were read yet. Never waits. */
    Optional<KeySet> known();

    /** Whether looking for a key of this name now would wait for the issuer. */
    default boolean wouldAsk(String id) {
        return false;
    }

    /** The keys, having asked the issuer for one of this name where that is due; waits for it within bounds. */
    default Optional<KeySet> withKey(String id) {
        return known();
    }

    @Override
    void close();
}
