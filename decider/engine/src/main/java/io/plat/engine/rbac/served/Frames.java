package io.plat.engine.rbac.served;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The events of a watch's stream, each whole, from bytes as they come: one a line, or each behind its length. For one thread. */
public final class Frames {
    private static final int FIRST_SIZE = 8 << 10;
    /** A length is four bytes, the highest first. */
    private static final int LENGTH_BYTES = 4;

    private final boolean lines;
    private final int longest;
    private byte[] held = new byte[FIRST_SIZE];
    private int from;
    private int to;
    /** What of a line has been looked at without finding its end, so that a long one is not looked at again and again. */
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

    /** Adds what came. Frames are to be taken out until there is none, before more is added. */
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

    /** Where the line ends, negative while that is unknown. */
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

    /** Whether the stream may end here: nothing of a further frame has come. */
    public boolean atBoundary() {
        return from == to;
    }
}
