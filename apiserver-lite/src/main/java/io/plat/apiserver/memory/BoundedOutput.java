package io.plat.apiserver.memory;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Byte array output with a limit: bytes beyond it are refused, those before it are kept. */
public final class BoundedOutput extends OutputStream {
    private final int limit;
    private byte[] bytes;
    private int size;

    /**
     * @param firstSize initial capacity, in bytes
     * @param limit maximum size, in bytes
     */
    public BoundedOutput(int firstSize, int limit) {
        this.limit = limit;
        this.bytes = new byte[Math.min(Math.max(firstSize, 16), limit)];
    }

    public static final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1L;

        TooLargeException() {
            super("too large");
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int start, int length) throws IOException {
        int count = Math.min(length, limit - size);
        int needed = size + count;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(limit, Math.max(needed, bytes.length * 2L)));
        }
        System.arraycopy(from, start, bytes, size, count);
        size = needed;
        if (count < length) {
            throw new TooLargeException();
        }
    }

    public byte[] toByteArray() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }
}
