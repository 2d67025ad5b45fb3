package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.plat.review.json.JsonFactories;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** A part of an array that holds a JSON document. */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy of the body would cost what the slice saves
record Body(byte[] bytes, int offset, int length) {
    /** How deep members may nest, the unknown ones included. */
    static final int MAX_DEPTH = 64;

    /** The longest string, in characters: paths and selectors come from URLs and are far shorter. */
    static final int MAX_STRING = 256 << 10;

    static final JsonFactory JSON = JsonFactories.builder()
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(MAX_STRING)
                    .maxNameLength(8 << 10)
                    // No number is ever converted, so its length costs what its bytes do: an unknown field may have
                    // any.
                    .maxNumberLength(ReviewCodec.DEFAULT_MAX_BYTES)
                    .build())
            .build();

    Body {
        Objects.checkFromIndexSize(offset, length, bytes.length);
    }

    /**
     * A document that is all of an array.
     *
     * @throws StatusException 413 where it is too large
     */
    static Body of(byte[] bytes, int maxBytes) throws StatusException {
        if (bytes.length > maxBytes) {
            throw new StatusException(ReviewCodec.tooLarge(maxBytes));
        }
        return new Body(bytes, 0, bytes.length);
    }

    /** A parser of bytes that are UTF-8 (RFC 8259, section 8.1); another encoding is not guessed. */
    JsonParser parser() throws IOException {
        return JSON.createParser(new String(bytes, offset, length, StandardCharsets.UTF_8));
    }

    /**
     * Whether the bytes are UTF-8. The parser itself lets overlong forms and encoded surrogates pass, which another reader of
     * the same bytes would read as something else.
     */
    boolean isUtf8() {
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] < 0) {
                return decodes(i);
            }
        }
        return true;
    }

    private boolean decodes(int from) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, offset + length - from));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
