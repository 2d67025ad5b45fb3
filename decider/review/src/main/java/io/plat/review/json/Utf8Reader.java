package io.plat.review.json;

import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;

/** Characters of bytes that are in memory, decoded into the caller's buffer. An {@code InputStreamReader} would first copy them. */
final class Utf8Reader extends Reader {
    private static final int SURROGATE_PAIR = 2;

    private final ByteBuffer bytes;
    private final CharsetDecoder decoder;

    Utf8Reader(ByteBuffer bytes, CharsetDecoder decoder) {
        this.bytes = bytes;
        this.decoder = decoder;
    }

    /** Throws a {@link java.nio.charset.CharacterCodingException} for malformed bytes if the decoder reports them. */
    @Override
    public int read(char[] into, int from, int length) throws IOException {
        if (length < SURROGATE_PAIR) {
            throw new IllegalArgumentException("a buffer shorter than a surrogate pair");
        }
        CharBuffer chars = CharBuffer.wrap(into, from, length);
        CoderResult result = decoder.decode(bytes, chars, true);
        // What precedes malformed bytes is returned first.
        if (result.isError() && chars.position() == from) {
            result.throwException();
        }
        return chars.position() == from ? -1 : chars.position() - from;
    }

    @Override
    public void close() {}
}
