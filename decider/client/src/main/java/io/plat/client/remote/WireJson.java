package io.plat.client.remote;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Parsers and generators of JSON in UTF-8, with limits. They share no symbol table, which a decider could fill. */
public final class WireJson {
    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(64)
                    .maxStringLength(1 << 20)
                    .maxNameLength(1 << 10)
                    .maxNumberLength(64)
                    .build())
            .build();

    private WireJson() {}

    /**
     * Returns a parser of a body, whose size is bounded by the caller.
     *
     * @throws IOException never
     */
    public static JsonParser parser(byte[] body) throws IOException {
        return FACTORY.createParser(
                new InputStreamReader(new ByteArrayInputStream(body), StandardCharsets.UTF_8.newDecoder()));
    }

    /**
     * Returns a generator.
     *
     * @throws IOException never
     */
    public static JsonGenerator generator(OutputStream out) throws IOException {
        return FACTORY.createGenerator(out);
    }
}
