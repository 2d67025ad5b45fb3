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

/** How this package reads and writes JSON text. */
final class JsonText {
    /** How deep objects and arrays may be nested, in JSON and in what a message becomes in JSON. */
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

    private JsonText() {}

    /** What the parser found fault with, on one line and without the text it read. */
    static StatusException fault(JsonProcessingException e) {
        String problem = e.getOriginalMessage().lines().findFirst().orElse("unreadable");
        JsonLocation at = e.getLocation();
        String where = at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
        return Malformed.json(where + problem);
    }

    /** Whether bytes can be JSON text at all: the parser itself looks less closely at what it skips. */
    static void checkEncoding(byte[] json) throws StatusException {
        if (!Utf8.valid(json, 0, json.length)) {
            throw Malformed.json("it is not UTF-8");
        }
    }
}
