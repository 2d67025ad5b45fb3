package io.plat.apiserver.memory;

import java.io.ByteArrayOutputStream;

/** Byte array output that charges its growth to the request before allocating. */
public final class ChargedBytes extends ByteArrayOutputStream {
    /** Size up to which nothing is charged, in bytes. */
    private static final int SMALL = 64 << 10;

    private static final int COPIES = 3;

    private long charged = SMALL;

    /** Creates an output with an initial capacity, in bytes. */
    public ChargedBytes(int size) {
        super(size);
    }

    @Override
    public synchronized void write(byte[] bytes, int start, int length) {
        if (count + (long) length > charged) {
            long more = Math.max(charged, count + (long) length - charged);
            RequestMemory.current().charge(COPIES * more);
            charged += more;
        }
        super.write(bytes, start, length);
    }
}
