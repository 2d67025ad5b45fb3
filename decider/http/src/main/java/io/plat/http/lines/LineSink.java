package io.plat.http.lines;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Destination of lines. Used by one thread at a time. */
public interface LineSink extends AutoCloseable {
    /**
     * Writes whole lines to the operating system.
     *
     * @throws IOException if some could not be written; others may have been written, but no partial line precedes the next line
     */
    void write(ByteBuffer lines) throws IOException;

    /** Announces the end of the log: later writes must not block for long. Called from any thread. */
    default void ending() {}

    @Override
    void close() throws IOException;
}
