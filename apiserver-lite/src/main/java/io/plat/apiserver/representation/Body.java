package io.plat.apiserver.representation;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.LongSupplier;

/** The bytes of an answer, written in pieces where they are many, so that a long list is not held twice. */
@FunctionalInterface
public interface Body {
    /** The size of a body whose size is known only once it has been written. */
    long UNKNOWN = -1;

    /**
     * Writes all of them; may be called more than once.
     *
     * @throws IOException where the stream does
     */
    void writeTo(OutputStream out) throws IOException;

    /** The number of bytes that {@link #writeTo} writes, or {@link #UNKNOWN}. */
    default long size() {
        return UNKNOWN;
    }

    /**
     * The bytes of memory that this body alone keeps while it is written, beside a buffer of bounded size. They are charged to the
     * request before a write may wait, as a client that does not read holds them.
     */
    default long retained() {
        return 0;
    }

    /**
     * The bytes of stored states that this body keeps from being forgotten while it is written. They are in memory in any case until a
     * later write replaces them, and so are charged only once a client has read nothing for a while.
     */
    default long pinned() {
        return 0;
    }

    /**
     * Whether {@link #writeTo} may last, and is interrupted once nobody reads any more. What it has flushed is sent; it is called once.
     */
    default boolean live() {
        return false;
    }

    /** All of them at once; may be shared and must not be changed. */
    default byte[] bytes() {
        var whole = new ChargedBytes(Math.toIntExact(Math.max(size(), 1024)));
        try {
            writeTo(whole);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return whole.toByteArray();
    }

    /** A body of a known size. */
    static Body of(long size, Body written) {
        return new Body() {
            @Override
            public long size() {
                return size;
            }

            @Override
            public long retained() {
                return written.retained();
            }

            @Override
            public void writeTo(OutputStream out) throws IOException {
                written.writeTo(out);
            }
        };
    }

    /** A body that is made of stored states, of so many bytes, while it is written. */
    static Body pinning(LongSupplier states, Body body) {
        return new Body() {
            @Override
            public long pinned() {
                return states.getAsLong();
            }

            @Override
            public long size() {
                return body.size();
            }

            @Override
            public long retained() {
                return body.retained();
            }

            @Override
            public boolean live() {
                return body.live();
            }

            @Override
            public void writeTo(OutputStream out) throws IOException {
                body.writeTo(out);
            }

            @Override
            public byte[] bytes() {
                return body.bytes();
            }
        };
    }

    /** A body that goes on for as long as somebody reads it, and is sent whenever it is flushed. */
    static Body endless(Body written) {
        return new Body() {
            @Override
            public boolean live() {
                return true;
            }

            @Override
            public void writeTo(OutputStream out) throws IOException {
                written.writeTo(out);
            }
        };
    }

    /** An array that belongs to this answer, and must not be changed any more. */
    static Body of(byte[] bytes) {
        return array(bytes, bytes.length);
    }

    /** An array that the server keeps in any case, however many answers have it, and that must not be changed any more. */
    static Body shared(byte[] bytes) {
        return array(bytes, 0);
    }

    private static Body array(byte[] bytes, long retained) {
        return new Body() {
            @Override
            public long retained() {
                return retained;
            }

            @Override
            public long size() {
                return bytes.length;
            }

            @Override
            public void writeTo(OutputStream out) throws IOException {
                out.write(bytes);
            }

            @Override
            public byte[] bytes() {
                return bytes;
            }
        };
    }
}
