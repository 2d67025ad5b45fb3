package io.plat.apiserver.watch;

import java.util.List;
import org.eclipse.jetty.util.Callback;

/**
 * Destination of the frames of one watch. Each method returns immediately; at most one write is in progress. {@link #complete} or
 * {@link #abort} is the last call.
 */
interface FrameSink {
    /** Sends the beginning of the response. */
    void open(Callback opened);

    /**
     * Sends frames and flushes them.
     *
     * @param frames at least one; shared and not to be modified
     * @param written succeeds when they have been passed to the network
     */
    void send(List<byte[]> frames, Callback written);

    /**
     * Writes the end of the stream.
     *
     * @param written succeeds when it has been passed to the network
     */
    void end(Callback written);

    /** Completes the request, after the end was written. */
    void complete();

    /** Aborts the stream, even during a write. */
    void abort(Throwable cause);
}
