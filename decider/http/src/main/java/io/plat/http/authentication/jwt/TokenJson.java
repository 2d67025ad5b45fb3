package io.plat.http.authentication.jwt;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.review.json.JsonFactories;

/** Strict JSON of tokens, and of the documents of their issuers. */
public final class TokenJson {
    private static final int MAX_DEPTH = 16;

    /** Rejects duplicate members, which are ambiguous. */
    public static final JsonMapper MAPPER = JsonMapper.builder(JsonFactories.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxNumberLength(40)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private TokenJson() {}
}
