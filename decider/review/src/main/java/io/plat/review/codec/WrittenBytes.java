package io.plat.review.codec;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * In-memory destination of a generator. A JSON generator writes content that fits into its own buffer, as nearly every review does, at once:
 * that is copied once, where a growing stream copies it several times.
 */
final class WrittenBytes extends OutputStream {
    private byte[] first = {};
    private @Nullable ByteArrayOutputStream all;

    @Override
    public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        if (all != null) {
            all.write(bytes, offset, length);
        } else if (first.length == 0) {
            first = Arrays.copyOfRange(bytes, offset, offset + length);
        } else {
            all = new ByteArrayOutputStream(2 * (first.length + length));
            all.write(first, 0, first.length);
            all.write(bytes, offset, length);
        }
    }

    /** Everything so far. */
    byte[] toByteArray() {
        return all == null ? first : all.toByteArray();
    }
}
