package io.plat.apiserver.representation;

import io.plat.apiserver.memory.ChargedBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.LongSupplier;

/** Body of a response, written in pieces if it is large, so that a long list is never in memory twice. */
@FunctionalInterface
public interface Body {
    /** Size of a body whose size is unknown before it is written. */
    long UNKNOWN = -1;

    /** Writes the body; may be called more than once. */
    void writeTo(OutputStream out) throws IOException;

    /** Returns the number of bytes that {@link #writeTo} writes, or {@link #UNKNOWN}. */
    default long size() {
        return UNKNOWN;
    }

    /**
     * Returns the memory that only this body retains while it is written, beyond a buffer of bounded size. It is charged to the request
     * before a write may block, as a slow client holds it.
     */
    default long retained() {
        return 0;
    }

    /**
     * Returns the size of stored states that this body prevents from being garbage collected. They are in memory anyway until a later
     * write replaces them, and so are charged only once a client has been idle for a while.
     */
    default long pinned() {
        return 0;
    }

    /**
     * Returns whether {@link #writeTo} may take arbitrarily long, and is interrupted when the client disconnects. Flushed output is sent
     * immediately; it is called once.
     */
    default boolean live() {
        return false;
    }

    /** Returns the whole body; may be shared and must not be modified. */
    default byte[] bytes() {
        var bytes = new ChargedBytes(Math.toIntExact(Math.max(size(), 1024)));
        try {
            writeTo(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    static Body of(long size, Body written) {
        return new WithProperties(written, size, () -> 0, false);
    }

    /** Returns a body that pins stored states of a size while it is written. */
    static Body pinning(LongSupplier states, Body body) {
        return new WithProperties(body, body.size(), states, body.live());
    }

    /** Returns a live body, which is sent whenever it is flushed. */
    static Body endless(Body written) {
        return new WithProperties(written, UNKNOWN, () -> 0, true);
    }

    record WithProperties(Body written, long size, LongSupplier states, boolean live) implements Body {
        @Override
        public long retained() {
            return written.retained();
        }

        @Override
        public long pinned() {
            return states.getAsLong();
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            written.writeTo(out);
        }

        @Override
        public byte[] bytes() {
            return written.size() == size ? written.bytes() : Body.super.bytes();
        }
    }

    /** Returns a body that owns an array, which must not be modified any more. */
    static Body of(byte[] bytes) {
        return array(bytes, bytes.length);
    }

    /** Returns a body with an array that the server retains anyway, and that must not be modified any more. */
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
