package io.plat.engine.rbac.follow;

import io.plat.engine.rbac.follow.SourceException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * A body that was read to its end.
 *
 * @param bytes hold it
 * @param length its length, at the start of the bytes
 */
@SuppressWarnings("ArrayRecordComponent") // Handed over once and never compared.
record Body(byte[] bytes, int length) {
    private static final int FIRST_SIZE = 16 << 10;

    /**
     * Reads a body.
     *
     * @param most how many bytes it may have
     * @param deadline how long it may take
     * @throws IOException where it can't be read
     */
    static Body read(InputStream body, int most, Deadline deadline) throws IOException, SourceException {
        byte[] bytes = new byte[Math.min(FIRST_SIZE, most)];
        int length = 0;
        int read = body.read(bytes, 0, bytes.length);
        while (read >= 0) {
            length += read;
            deadline.check();
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, larger(length, most));
            }
            read = body.read(bytes, length, bytes.length - length);
        }
        return new Body(bytes, length);
    }

    private static int larger(int length, int most) throws SourceException {
        if (length >= most) {
            throw new SourceException(Kind.MALFORMED, "an answer is longer than " + most + " bytes");
        }
        return (int) Math.min(most, 2L * length);
    }
}
