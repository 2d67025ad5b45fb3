package io.plat.engine.rbac.follow;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** HTTP client of one API server. Thread-safe. */
interface Transport {
    /**
     * Sends a GET request for JSON and waits for the start of the response. Interruptible on a virtual thread.
     *
     * @param target path and query below the server's address
     * @param silence read timeout, for the start of the response and each read
     * @throws IOException if there is no response; the message is for the operator
     */
    Answer get(String target, Duration silence) throws IOException;

    /** A response that has started. Closing it releases or closes the connection. */
    interface Answer extends AutoCloseable {
        /** Returns the status code. */
        int code();

        /** Returns the header {@code Content-Type}, or {@code ""}. */
        String contentType();

        /** Returns the header {@code Retry-After} if it is in seconds, else zero. */
        Duration retryAfter();

        InputStream body();

        @Override
        void close();
    }
}
