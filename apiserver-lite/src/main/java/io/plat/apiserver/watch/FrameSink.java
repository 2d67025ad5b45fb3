package io.plat.apiserver.watch;

import java.util.List;
import org.eclipse.jetty.util.Callback;

/**
 * Destination of the frames of one watch. Each method returns immediately; at most one write is in progress. {@link #end} or {@link
 * #abort} is the last call.
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

    /** Ends the stream as complete. */
    void end();

    /** Aborts the stream, whatever is in progress. */
    void abort(Throwable cause);
}
