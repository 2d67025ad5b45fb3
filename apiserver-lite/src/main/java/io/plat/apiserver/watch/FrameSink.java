package io.plat.apiserver.watch;

import java.util.List;
import org.eclipse.jetty.util.Callback;

/**
 * Where the frames of one watch go. Each method returns at once; at most one write is under way. Once {@link #end} or
 * {@link #abort} was called nothing else is.
 */
interface FrameSink {
    /** Sends the client the beginning of its watch. */
    void open(Callback opened);

    /**
     * Writes frames and has them leave at once.
     *
     * @param frames at least one; shared and not to be changed
     * @param written succeeds when they have been handed to the network
     */
    void send(List<byte[]> frames, Callback written);

    /** Ends the stream as one that is complete. */
    void end();

    /** Cuts the stream off, whatever is under way. */
    void abort(Throwable cause);
}
