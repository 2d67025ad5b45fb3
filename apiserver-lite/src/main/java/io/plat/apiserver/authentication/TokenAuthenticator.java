package io.plat.apiserver.authentication;

import java.util.List;

/** Judges one kind of bearer token. For any number of threads. */
public interface TokenAuthenticator {
    /**
     * The judgement on a token.
     *
     * <p>{@link Authentication.Absent} for a token of another kind. Must not throw for anything that a client sends.
     *
     * @param token the token, of bounded length
     * @param audiences for whom it has to be, at least one of them; empty where that is not looked at
     */
    Authentication authenticate(String token, List<String> audiences);

    /** Whether judging this token may wait for something; then only a thread that may wait judges it. */
    default boolean waits(String token) {
        return false;
    }
}
