package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import io.plat.review.json.JsonFactories;
import io.plat.review.status.StatusException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reading and writing of JSON text in this package. */
final class JsonText {
    /** The deepest nesting of objects and arrays, in JSON and in the JSON form of a message. */
    static final int MAX_DEPTH = 256;

    /** Strings are bounded by the text they stand in, whose size the caller has bounded. Names of fields are a fixed few. */
    static final JsonFactory FACTORY = JsonFactories.builder()
            .disable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
            .build();

    /** The JDK's replacement of malformed bytes. */
    private static final char REPLACEMENT = '\uFFFD';

    private JsonText() {}

    /** Returns the parser's complaint, on one line and without the text it read. */
    static StatusException fault(JsonProcessingException e) {
        String problem = e.getOriginalMessage().lines().findFirst().orElse("unreadable");
        JsonLocation at = e.getLocation();
        String where = at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
        return Malformed.json(where + problem);
    }

    /** Returns JSON text as characters. The parser itself looks less closely at what it skips. */
    static String decode(byte[] json) throws StatusException {
        String text = new String(json, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0 && !isUtf8(json, 0, json.length)) {
            throw Malformed.json("it is not UTF-8");
        }
        return text;
    }

    /** Refuses bytes of a message that are not UTF-8. */
    static void checkEncoding(byte[] bytes, int start, int end, String what) throws StatusException {
        if (!isUtf8(bytes, start, end)) {
            throw Malformed.binary(what + " is not UTF-8");
        }
    }

    private static boolean isUtf8(byte[] bytes, int start, int end) {
        int at = start;
        while (at < end && bytes[at] >= 0) {
            at++;
        }
        try {
            return at == end
                    || StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes, at, end - at))
                            .hasRemaining();
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
