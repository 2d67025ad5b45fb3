package io.plat.apiserver.lease;

/** A stream that can be ended from outside. Both methods return at once; for any thread. */
public interface LeasedStream {
    /** Ends the stream as one that is complete. Nothing new is sent from now on. */
    void end();

    /** Cuts the stream off whatever is under way, as it has not ended in time. */
    void cutOff();
}
