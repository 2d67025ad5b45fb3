package io.plat.http.authentication;

/** Authenticates one kind of credential. Thread-safe. */
@FunctionalInterface
public interface Authenticator {
    /**
     * Authenticates a request.
     *
     * <p>Returns {@link Authentication.Absent} only without a credential of this kind: a malformed one is refused. Must not throw for
     * anything that a client sends, and blocks only if {@link #waits} returns true.
     */
    Authentication authenticate(Credentials credentials);

    /** Returns whether authentication may block, and thus needs a thread that may. */
    default boolean waits(Credentials credentials) {
        return false;
    }
}
