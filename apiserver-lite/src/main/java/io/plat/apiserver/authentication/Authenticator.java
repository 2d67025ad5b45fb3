package io.plat.apiserver.authentication;

/** Judges one kind of credential. For any number of threads. */
@FunctionalInterface
public interface Authenticator {
    /**
     * The judgement on a request's credentials.
     *
     * <p>{@link Authentication.Absent} only where there is no credential of this kind: one that is malformed is refused. Must
     * not throw for anything that a client sends, and waits only where {@link #waits} says so.
     */
    Authentication authenticate(Credentials credentials);

    /** Whether judging these credentials may wait for something; then only a thread that may wait judges them. */
    default boolean waits(Credentials credentials) {
        return false;
    }
}
