package io.plat.review.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.IOContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Factories of JSON parsers that share no state and detect no encoding. Jackson's default parsers share a table of member names, which clients can
 * fill: colliding names make it fail for every request. Escapes of unpaired surrogates are read as U+FFFD.
 */
public final class JsonFactories {
    private JsonFactories() {}

    /** Builder of factories whose parsers read bytes as UTF-8 only (RFC 8259, 8.1), like all other code that processes the bytes. */
    private static final class Builder extends JsonFactoryBuilder {
        private final boolean exact;

        Builder(boolean exact) {
            this.exact = exact;
        }

        @Override
        public JsonFactory build() {
            return exact ? new Utf8JsonFactory(this) : new WellFormedJsonFactory(this);
        }
    }

    private static class Utf8JsonFactory extends JsonFactory {
        private static final long serialVersionUID = 1L;

        Utf8JsonFactory(JsonFactoryBuilder builder) {
            super(builder);
        }

        @Override
        protected JsonParser _createParser(byte[] data, int offset, int length, IOContext context) throws IOException {
            CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE);
            return _createParser(new Utf8Reader(ByteBuffer.wrap(data, offset, length), decoder), context);
        }

        @Override
        protected JsonParser _createParser(InputStream in, IOContext context) throws IOException {
            return _createParser(new InputStreamReader(in, StandardCharsets.UTF_8), context);
        }
    }

    private static final class WellFormedJsonFactory extends Utf8JsonFactory {
        private static final long serialVersionUID = 1L;

        WellFormedJsonFactory(JsonFactoryBuilder builder) {
            super(builder);
        }

        @Override
        protected JsonParser _createParser(Reader in, IOContext context) throws IOException {
            return super._createParser(new SurrogateReader(in), context);
        }

        /** The array is Jackson's copy where the text was a string. */
        @Override
        protected JsonParser _createParser(char[] text, int offset, int length, IOContext context, boolean recyclable)
                throws IOException {
            SurrogateReader.replace(text, offset, offset + length, true);
            return super._createParser(text, offset, length, context, recyclable);
        }
    }

    /**
     * Returns constraints on depth and numbers only. Names and strings are bounded by the size of the text: separate limits would be
     * met by text that the server itself has written, such as managed fields, whose names hold values.
     */
    public static StreamReadConstraints.Builder constraints() {
        return StreamReadConstraints.builder().maxNameLength(Integer.MAX_VALUE).maxStringLength(Integer.MAX_VALUE);
    }

    /** Returns a builder of such factories. */
    public static JsonFactoryBuilder builder() {
        return builder(false);
    }

    /** Returns a builder of factories whose parsers return unpaired surrogates, for callers that refuse them. */
    public static JsonFactoryBuilder exact() {
        return builder(true);
    }

    private static JsonFactoryBuilder builder(boolean exact) {
        return new Builder(exact)
                .streamReadConstraints(constraints().build())
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES);
    }

    /** Returns such a factory with the library's limits. Each mapper needs its own, as it sets itself as the factory's codec. */
    public static JsonFactory create() {
        return builder().build();
    }

    /** Returns a reader of the first bytes of an array as UTF-8 (RFC 8259, section 8.1); reading fails if they are malformed. */
    public static Reader utf8(byte[] bytes, int length) {
        return new Utf8Reader(ByteBuffer.wrap(bytes, 0, length), StandardCharsets.UTF_8.newDecoder());
    }
}
