package io.plat.engine.rbac.served;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The events of a watch's stream, each whole, from bytes as they come. For one thread. */
public abstract sealed class Frames permits LineFrames, LengthFrames {
    private static final int FIRST_SIZE = 8 << 10;

    private final int longest;
    private byte[] held = new byte[FIRST_SIZE];
    private int from;
    private int to;

    Frames(int longest) {
        this.longest = longest;
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
        int start = start(held, from, to);
        if (start < 0) {
            return null;
        }
        int end = end(held, start, to);
        if ((end < 0 ? to : end) - start > longest) {
            throw new MalformedRolesException("an event is longer than " + longest + " bytes");
        }
        if (end < 0 || end > to) {
            return null;
        }
        byte[] frame = Arrays.copyOfRange(held, start, end);
        from = after(end);
        return frame;
    }

    /** Where the next frame starts, negative while that can't be told. */
    abstract int start(byte[] bytes, int from, int to);

    /** Where the frame ends that starts there, negative while that can't be told; it may lie beyond what has come. */
    abstract int end(byte[] bytes, int start, int to);

    /** Where the next frame may start after one that ended there. */
    abstract int after(int end);

    /** Whether the stream may end here: nothing of a further frame has come. */
    public boolean atBoundary() {
        return from == to;
    }
}
