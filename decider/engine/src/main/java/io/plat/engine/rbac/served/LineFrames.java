package io.plat.engine.rbac.served;

/** One event a line. */
final class LineFrames extends Frames {
    /** What has been looked at without finding an end, so that a long line is not looked at again and again. */
    private int searched;

    LineFrames(int longest) {
        super(longest);
    }

    @Override
    int start(byte[] bytes, int from, int to) {
        return from;
    }

    @Override
    int end(byte[] bytes, int start, int to) {
        for (int i = start + searched; i < to; i++) {
            if (bytes[i] == '\n') {
                searched = 0;
                return i;
            }
        }
        searched = to - start;
        return -1;
    }

    @Override
    int after(int end) {
        return end + 1;
    }
}
