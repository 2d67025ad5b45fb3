package io.plat.engine.rbac.served;

import io.plat.review.codec.MalformedResponseException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Splitter of a watch stream into lines, each of which is an event. Not thread-safe. */
public final class EventLines {
    private static final int FIRST_SIZE = 8 << 10;

    private final int maxLength;
    private byte[] held = new byte[FIRST_SIZE];
    private int from;
    private int to;
    /** Length of the part of a line that was already scanned without finding its end. */
    private int searched;

    /**
     * Creates a splitter for a new stream.
     *
     * @param maxLength maximum length of a line, in bytes
     */
    public EventLines(int maxLength) {
        this.maxLength = maxLength;
    }

    /** Adds received bytes. All complete lines have to be taken before more are added. */
    public void add(byte[] bytes, int count) {
        if (to + count > held.length) {
            System.arraycopy(held, from, held, 0, to - from);
            to -= from;
            from = 0;
        }
        if (to + count > held.length) {
            held = Arrays.copyOf(held, Math.max(held.length * 2, to + count));
        }
        System.arraycopy(bytes, 0, held, to, count);
        to += count;
    }

    /**
     * Returns the next line, or null if it is not complete yet.
     *
     * @throws MalformedResponseException if it is too long
     */
    public byte @Nullable [] next() throws MalformedResponseException {
        int end = lineEnd();
        if ((end < 0 ? to : end) - from > maxLength) {
            throw new MalformedResponseException("an event is longer than " + maxLength + " bytes");
        }
        if (end < 0) {
            return null;
        }
        byte[] line = Arrays.copyOfRange(held, from, end);
        from = end + 1;
        return line;
    }

    /** Returns the end of the line, negative while it is unknown. */
    private int lineEnd() {
        for (int i = from + searched; i < to; i++) {
            if (held[i] == '\n') {
                searched = 0;
                return i;
            }
        }
        searched = to - from;
        return -1;
    }

    /** Returns whether the stream may end here: no part of another line has arrived. */
    public boolean atBoundary() {
        return from == to;
    }
}
