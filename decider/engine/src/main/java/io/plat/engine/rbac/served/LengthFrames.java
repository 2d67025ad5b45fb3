package io.plat.engine.rbac.served;

/** Each event behind its length: four bytes, the highest first. */
final class LengthFrames extends Frames {
    private static final int LENGTH_BYTES = 4;

    LengthFrames(int longest) {
        super(longest);
    }

    @Override
    int start(byte[] bytes, int from, int to) {
        return to - from < LENGTH_BYTES ? -1 : from + LENGTH_BYTES;
    }

    @Override
    int end(byte[] bytes, int start, int to) {
        int length = 0;
        for (int i = start - LENGTH_BYTES; i < start; i++) {
            length = length << Byte.SIZE | (bytes[i] & 0xff);
        }
        // A length with the highest bit, as a sum that overflows, is longer than any that is allowed.
        return length < 0 || start + length < 0 ? Integer.MAX_VALUE : start + length;
    }

    @Override
    int after(int end) {
        return end;
    }
}
