package io.plat.engine.rbac.follow;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Asks one API server. For any number of threads. */
interface Transport {
    /**
     * Sends a GET and waits until the answer begins. An interrupted virtual thread gives up.
     *
     * @param target path and query below the server's address
     * @param accept the header {@code Accept}
     * @param silence how long nothing may come, while the answer is waited for and while it is read
     * @throws IOException where there is no answer; its message is for the operator
     */
    Answer get(String target, String accept, Duration silence) throws IOException;

    /** An answer that has begun. Closed, its connection is free or gone. */
    interface Answer extends AutoCloseable {
        /** The status code. */
        int code();

        /** The header {@code Content-Type}, or {@code ""}. */
        String contentType();

        /** The header {@code Retry-After} where it counts seconds, else zero. */
        Duration retryAfter();

        /** The body. */
        InputStream body();

        @Override
        void close();
    }
}
