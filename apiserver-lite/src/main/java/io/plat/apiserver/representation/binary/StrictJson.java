package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import io.plat.review.json.JsonFactories;
import io.plat.review.status.StatusException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** JSON parsing and writing in this package. */
final class StrictJson {
    static final int MAX_DEPTH = 256;

    /** Strings are bounded by the text, whose size the caller has limited. Field names are a small fixed set. */
    static final JsonFactory FACTORY = JsonFactories.builder()
            .disable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .streamReadConstraints(
                    JsonFactories.constraints().maxNestingDepth(MAX_DEPTH).build())
            .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
            .build();

    /** Replacement character of the JDK for malformed bytes. */
    private static final char REPLACEMENT = '\uFFFD';

    private StrictJson() {}

    /** Returns the parser's message, on one line and without quoting the input. */
    static StatusException fault(JsonProcessingException e) {
        String problem = e.getOriginalMessage().lines().findFirst().orElse("unreadable");
        JsonLocation at = e.getLocation();
        String where = at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
        return MalformedInput.json(where + problem);
    }

    /** Decodes JSON text strictly; the parser is lenient in skipped parts. */
    static String decode(byte[] json) throws StatusException {
        String text = new String(json, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0 && !isUtf8(json, 0, json.length)) {
            throw MalformedInput.json("it is not UTF-8");
        }
        return text;
    }

    static void checkEncoding(byte[] bytes, int start, int end, String what) throws StatusException {
        if (!isUtf8(bytes, start, end)) {
            throw MalformedInput.binary(what + " is not UTF-8");
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
