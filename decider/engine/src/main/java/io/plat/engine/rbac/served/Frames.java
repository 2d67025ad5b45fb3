package io.plat.engine.rbac.served;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Frames of a watch's events, split from a stream of bytes: one per line, or each preceded by its length. Not thread-safe. */
public final class Frames {
    private static final int FIRST_SIZE = 8 << 10;
    /** A length is four bytes, the highest first. */
    private static final int LENGTH_BYTES = 4;

    private final boolean lines;
    private final int longest;
    private byte[] held = new byte[FIRST_SIZE];
    private int from;
    private int to;
    /** Length of the part of a line that was scanned without finding its end, so that a long one is not scanned again. */
    private int searched;

    private Frames(boolean lines, int longest) {
        this.lines = lines;
        this.longest = longest;
    }

    /** One event a line, of at most so many bytes. */
    static Frames lines(int longest) {
        return new Frames(true, longest);
    }

    /** Each event, of at most so many bytes, behind its length. */
    static Frames behindLengths(int longest) {
        return new Frames(false, longest);
    }

    /** Adds received bytes. All complete frames have to be taken before more are added. */
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
     * The next frame, or null where it is not complete yet.
     *
     * @throws MalformedRolesException if it is longer than a frame may be
     */
    public byte @Nullable [] next() throws MalformedRolesException {
        int start = lines ? from : from + LENGTH_BYTES;
        if (start > to) {
            return null;
        }
        int end = lines ? lineEnd() : start + length();
        // A sum that overflows is longer than any that is allowed.
        if ((!lines && end < 0) || (end < 0 ? to : end) - start > longest) {
            throw new MalformedRolesException("an event is longer than " + longest + " bytes");
        }
        if (end < 0 || end > to) {
            return null;
        }
        byte[] frame = Arrays.copyOfRange(held, start, end);
        from = lines ? end + 1 : end;
        return frame;
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

    private int length() {
        int length = 0;
        for (int i = from; i < from + LENGTH_BYTES; i++) {
            length = length << Byte.SIZE | (held[i] & 0xff);
        }
        return length < 0 ? Integer.MAX_VALUE : length;
    }

    /** Returns whether the stream may end here: no part of a further frame has arrived. */
    public boolean atBoundary() {
        return from == to;
    }
}
