package io.plat.apiserver.resource;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Documents as trees: one mapper with the limits that hold for whatever a client sends. */
final class Json {
    /** No document of a client nests deeper. */
    static final int MAX_DEPTH = 128;

    /** Strict: nothing behind the document, no key twice, bounded depth. Numbers keep their written precision. */
    static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxNumberLength(400)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Json() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** The object under a name, made where it is absent or null. */
    static ObjectNode child(ObjectNode parent, String name) {
        return parent.path(name) instanceof ObjectNode present ? present : parent.putObject(name);
    }

    /** The text under a name, or {@code ""}. */
    static String text(JsonNode parent, String name) {
        return parent.path(name).asText("");
    }
}
