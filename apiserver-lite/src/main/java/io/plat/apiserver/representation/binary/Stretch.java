package io.plat.apiserver.representation.binary;

import java.util.Objects;

/** Part of an array; the array belongs to whoever made it and is not written to. */
final class Stretch {
    private final byte[] bytes;
    private final int start;
    private final int end;

    /** All bytes from one index to before another. */
    Stretch(byte[] bytes, int start, int end) {
        Objects.checkFromToIndex(start, end, bytes.length);
        this.bytes = bytes;
        this.start = start;
        this.end = end;
    }

    /** The array itself. */
    byte[] bytes() {
        return bytes;
    }

    /** The index of the first byte. */
    int start() {
        return start;
    }

    /** The index behind the last byte. */
    int end() {
        return end;
    }

    int length() {
        return end - start;
    }
}
