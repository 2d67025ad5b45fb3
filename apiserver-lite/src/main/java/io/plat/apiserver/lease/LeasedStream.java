package io.plat.apiserver.lease;

/** Stream that can be ended from outside. Both methods return immediately; thread-safe. */
public interface LeasedStream {
    /** Ends the stream as complete. Nothing more is sent. */
    void end();

    /** Aborts the stream, if it did not end in time. */
    default void abort() {
        end();
    }
}
