package io.plat.apiserver.representation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** The bytes of an answer, written in pieces where they are many, so that a long list is not held twice. */
public interface Body {
    /** How many bytes {@link #writeTo} writes. */
    long size();

    /**
     * Writes all of them; may be called more than once.
     *
     * @throws IOException where the stream does
     */
    void writeTo(OutputStream out) throws IOException;

    /** All of them at once; may be shared and must not be changed. */
    default byte[] bytes() {
        var whole = new ByteArrayOutputStream(Math.toIntExact(size()));
        try {
            writeTo(whole);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return whole.toByteArray();
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
