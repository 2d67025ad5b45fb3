package io.plat.apiserver.representation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** The bytes of an answer, written in pieces where they are many, so that a long list is not held twice. */
public interface Body {
    /** The size of a body whose size is known only once it has been written. */
    long UNKNOWN = -1;

    /** How many bytes {@link #writeTo} writes, or {@link #UNKNOWN}. */
    long size();

    /**
     * Writes all of them; may be called more than once.
     *
     * @throws IOException where the stream does
     */
    void writeTo(OutputStream out) throws IOException;

    /**
     * Whether {@link #writeTo} may last, and is interrupted once nobody reads any more. What it has flushed is sent; it is called once.
     */
    default boolean live() {
        return false;
    }

    /** All of them at once; may be shared and must not be changed. */
    default byte[] bytes() {
        var whole = new ByteArrayOutputStream(Math.toIntExact(Math.max(size(), 1024)));
        try {
            writeTo(whole);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return whole.toByteArray();
    }

    /** Writes a body. */
    @FunctionalInterface
    interface Pieces {
        /**
         * Writes all of it; may be called more than once.
         *
         * @throws IOException where the stream does
         */
        void writeTo(OutputStream out) throws IOException;
    }

    /** A body that is made while it is written. */
    static Body of(Pieces pieces) {
        return new Body() {
            @Override
            public long size() {
                return UNKNOWN;
            }

            @Override
            public void writeTo(OutputStream out) throws IOException {
                pieces.writeTo(out);
            }
        };
    }

    /** A body that goes on for as long as somebody reads it, and is sent whenever it is flushed. */
    static Body live(Pieces pieces) {
        return new Body() {
            @Override
            public long size() {
                return UNKNOWN;
            }

            @Override
            public boolean live() {
                return true;
            }

            @Override
            public void writeTo(OutputStream out) throws IOException {
                pieces.writeTo(out);
            }
        };
    }

    /** An array, which is shared and must not be changed any more. */
    static Body of(byte[] bytes) {
        return new Body() {
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
