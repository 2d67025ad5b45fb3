package io.plat.cli.replay;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The lines of a log, one after another, in one buffer that is used again. */
final class LogStream {
    /** The longest line; events with bodies are long. */
    static final int LONGEST = 64 << 20;

    private final InputStream in;
    private byte[] buffer = new byte[256 << 10];
    private int start;
    private int end;
    private int length;
    private long bytes;
    private boolean over;

    LogStream(InputStream in) {
        this.in = in;
    }

    /**
     * Advances to the next line.
     *
     * @return false if there is none
     * @throws IOException if it can't be read, or is too long
     */
    boolean next() throws IOException {
        start += length;
        length = 0;
        int at = start;
        while (true) {
            for (; at < end; at++) {
                if (buffer[at] == '\n') {
                    length = at + 1 - start;
                    bytes += length;
                    return true;
                }
            }
            if (over) {
                length = end - start;
                bytes += length;
                return length > 0;
            }
            at -= start;
            fill();
            at += start;
        }
    }

    private void fill() throws IOException {
        if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            end -= start;
            start = 0;
        }
        if (end == buffer.length) {
            if (buffer.length >= LONGEST) {
                throw new IOException("a line is longer than " + LONGEST + " bytes");
            }
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
        int read = in.read(buffer, end, buffer.length - end);
        over = read < 0;
        end += Math.max(0, read);
    }

    byte[] line() {
        int stop = start + length;
        while (stop > start && (buffer[stop - 1] == '\n' || buffer[stop - 1] == '\r')) {
            stop--;
        }
        return Arrays.copyOfRange(buffer, start, stop);
    }

    /** Returns the number of bytes of the lines read so far. */
    long bytes() {
        return bytes;
    }
}
