package io.plat.review.source;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Lines of a stream, of bounded length. Not thread-safe. */
public final class BoundedLines {
    private static final int BUFFER = 64 << 10;

    private final InputStream in;
    private final int maxLength;
    private final byte[] buffer = new byte[BUFFER];
    private int from;
    private int to;
    private long bytes;
    private boolean complete = true;

    /** Signals that a line is too long; no further line can be read. */
    public static final class LineTooLongException extends IOException {
        private static final long serialVersionUID = 1L;

        LineTooLongException(int maxLength) {
            super("a line is longer than " + maxLength + " bytes");
        }
    }

    /**
     * Creates a reader of a stream.
     *
     * @param maxLength maximum length of a line, in bytes
     */
    public BoundedLines(InputStream in, int maxLength) {
        this.in = in;
        this.maxLength = maxLength;
    }

    /**
     * Returns the next line without its line feed, after waiting for it; null if there is none.
     *
     * @throws LineTooLongException if it is too long
     */
    public byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            int end = from;
            while (end < to && buffer[end] != '\n') {
                end++;
            }
            line.write(buffer, from, end - from);
            bytes += end - from;
            if (line.size() > maxLength) {
                throw new LineTooLongException(maxLength);
            }
            complete = end < to;
            if (complete) {
                bytes++;
                from = end + 1;
                return line.toByteArray();
            }
            from = 0;
            to = in.read(buffer);
            if (to < 0) {
                to = 0;
                complete = line.size() == 0;
                return complete ? null : line.toByteArray();
            }
        }
    }

    /** Returns whether reading another line may not have to wait. */
    public boolean isReady() throws IOException {
        return from < to || in.available() > 0;
    }

    /** Returns whether the last line ended with a line feed; false if the stream ended within it. */
    public boolean isComplete() {
        return complete;
    }

    /** Returns the number of bytes of the lines read so far. */
    public long bytes() {
        return bytes;
    }
}
