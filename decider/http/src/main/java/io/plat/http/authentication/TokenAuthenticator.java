package io.plat.http.authentication;

import java.util.List;

/** Authenticates one kind of bearer token. Thread-safe. */
public interface TokenAuthenticator {
    /**
     * Authenticates a token.
     *
     * <p>Returns {@link Authentication.Absent} for a token of another kind. Must not throw for anything that a client sends.
     *
     * @param token the token, of bounded length
     * @param audiences accepted audiences, any of which suffices; empty for no check
     */
    Authentication authenticate(String token, List<String> audiences);

    /** Returns whether authentication may block, and thus needs a thread that may. */
    default boolean waits(String token) {
        return false;
    }
}
