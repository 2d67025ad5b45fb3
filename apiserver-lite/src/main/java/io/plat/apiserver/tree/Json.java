package io.plat.apiserver.tree;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.plat.review.json.JsonFactories;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** JSON trees: one mapper with the limits for client input. */
public final class Json {
    /** Maximum depth of a client's document. */
    static final int MAX_DEPTH = 128;

    /**
     * Mapper for client input, with bounded depth. Documents are parsed by {@link TreeReader}, which gives numbers Kubernetes' precision.
     */
    public static final JsonMapper MAPPER = JsonMapper.builder(JsonFactories.builder()
                    .recyclerPool(new SmallBuffers())
                    .streamReadConstraints(JsonFactories.constraints()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxNumberLength(400)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .nodeFactory(new BoundedNumbers())
            .build();

    /** Rejects numbers with extreme exponents, which would be expensive to format or to compare. */
    private static final class BoundedNumbers extends JsonNodeFactory {
        private static final long serialVersionUID = 1L;

        /** Scale of the smallest and the largest double, with its digits. */
        private static final int MAX_SCALE = 800;

        @Override
        public ValueNode numberNode(BigDecimal value) {
            if (Math.abs((long) value.scale()) > MAX_SCALE) {
                throw new NumberFormatException("a number is out of range");
            }
            boolean plain = value.scale() >= 0 && value.precision() - value.scale() > -6;
            return plain ? super.numberNode(value) : DecimalNode.valueOf(new GoDecimal(value));
        }
    }

    /** Number that is written as by Go: with a lower-case exponent. */
    private static final class GoDecimal extends BigDecimal {
        private static final long serialVersionUID = 1L;

        GoDecimal(BigDecimal value) {
            super(value.unscaledValue(), value.scale());
        }

        @Override
        public String toString() {
            return super.toString().replace('E', 'e');
        }
    }

    /**
     * Mapper for what this program has written: the same numbers, without checks. Managed fields nest deeper than the object that they
     * describe, and a number may be written with an additional sign.
     */
    public static final JsonMapper STORED = JsonMapper.builder(JsonFactories.builder()
                    .recyclerPool(new SmallBuffers())
                    .streamReadConstraints(JsonFactories.constraints()
                            .maxNestingDepth(2 * MAX_DEPTH)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .nodeFactory(new BoundedNumbers())
            .build();

    private Json() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    public static byte[] bytes(JsonNode tree) {
        try {
            return STORED.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a tree can be written", e);
        }
    }

    public static ObjectNode parse(String json) {
        return (ObjectNode) valueOf(json);
    }

    /** Returns a value of the program's own, given as JSON. */
    public static JsonNode valueOf(String json) {
        try {
            return STORED.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(json, e);
        }
    }

    /** Returns the object under a name, created if absent or null. */
    public static ObjectNode child(ObjectNode parent, String name) {
        return parent.path(name) instanceof ObjectNode present ? present : parent.putObject(name);
    }

    public static List<String> texts(JsonNode list) {
        return list.isEmpty()
                ? List.of()
                : list.valueStream().map(JsonNode::asText).toList();
    }

    public static List<String> texts(JsonNode list, String name) {
        return list.valueStream().map(element -> text(element, name)).toList();
    }

    public static Map<String, String> textsByName(JsonNode object) {
        var texts = new HashMap<String, String>();
        object.properties()
                .forEach(one -> texts.put(one.getKey(), one.getValue().asText()));
        return texts;
    }

    /** Sets a field to a list of strings; removes the field if the list is empty. */
    public static void putTexts(ObjectNode object, String name, Collection<String> texts) {
        object.remove(name);
        if (!texts.isEmpty()) {
            texts.forEach(object.putArray(name)::add);
        }
    }

    /** Returns the first element of a list whose field has a value; a missing node if there is none. */
    public static JsonNode find(JsonNode list, String field, String value) {
        return list.valueStream()
                .filter(element -> text(element, field).equals(value))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    /** Returns the string under a name, or {@code ""}. */
    public static String text(JsonNode parent, String name) {
        return parent.path(name).asText("");
    }

    /** Returns whether values are equal, except for some fields of objects, which may be absent on either side. */
    public static boolean equalExcept(Set<String> fields, JsonNode one, JsonNode other) {
        if (!one.isObject() || !other.isObject()) {
            return one.equals(other);
        }
        for (Map.Entry<String, JsonNode> each : one.properties()) {
            if (!fields.contains(each.getKey()) && !each.getValue().equals(other.get(each.getKey()))) {
                return false;
            }
        }
        return sizeWithout(fields, one) == sizeWithout(fields, other);
    }

    private static int sizeWithout(Set<String> fields, JsonNode object) {
        int size = object.size();
        for (String field : fields) {
            size -= object.has(field) ? 1 : 0;
        }
        return size;
    }

    /** Returns the message of Go's decoder for a value of the wrong type. */
    public static String cannotUnmarshal(JsonNode value, String into) {
        String kind = switch (value.getNodeType()) {
            case ARRAY -> "array";
            case OBJECT -> "object";
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case NUMBER -> "number";
            case NULL -> "null";
            case BINARY, MISSING, POJO -> "value";
        };
        return "json: cannot unmarshal " + kind + " into " + into;
    }
}
