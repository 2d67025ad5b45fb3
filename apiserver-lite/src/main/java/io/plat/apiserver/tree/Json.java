package io.plat.apiserver.tree;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.plat.review.json.JsonFactories;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Documents as trees: one mapper with the limits that hold for whatever a client sends. */
public final class Json {
    /** No document of a client nests deeper. */
    static final int MAX_DEPTH = 128;

    /** For what clients send: bounded depth. Numbers keep their written precision. Documents are read by {@link TreeReader}. */
    public static final JsonMapper MAPPER = JsonMapper.builder(JsonFactories.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxNumberLength(400)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .nodeFactory(new BoundedNumbers())
            .build();

    /** Refuses numbers that no field holds: to write one out, or to compare it, would cost what its exponent says. */
    private static final class BoundedNumbers extends JsonNodeFactory {
        private static final long serialVersionUID = 1L;

        /** That of the smallest and the largest number of floating point, with room for its digits. */
        private static final int MAX_SCALE = 800;

        @Override
        public ValueNode numberNode(BigDecimal value) {
            if (Math.abs((long) value.scale()) > MAX_SCALE) {
                throw new NumberFormatException("a number is out of range");
            }
            return super.numberNode(value);
        }
    }

    /** For what was checked and written by this program itself: the same numbers, and no search for what can't be there. */
    public static final JsonMapper STORED = JsonMapper.builder(JsonFactories.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxNumberLength(400)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Json() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** The object under a name, made where it is absent or null. */
    public static ObjectNode child(ObjectNode parent, String name) {
        return parent.path(name) instanceof ObjectNode present ? present : parent.putObject(name);
    }

    /** The texts of a list. */
    public static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(item -> texts.add(item.asText()));
        return texts;
    }

    /** The text under a name, or {@code ""}. */
    public static String text(JsonNode parent, String name) {
        return parent.path(name).asText("");
    }
}
