package io.plat.apiserver.tree;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Parses client input into a tree and records duplicate fields: kube-apiserver accepts the last one, with a warning. The parser bounds
 * the depth. Takes time linear in the length of the document, regardless of duplicates.
 */
public record TreeReader(JsonParser json, DuplicatePolicy again, DuplicateFields repeated) {
    /** Treatment of duplicate fields. */
    public enum DuplicatePolicy {
        /** The later one replaces the earlier one, as in patches. */
        REPLACES,

        /**
         * The later one is merged into the earlier one, as kube-apiserver decodes typed objects: absent fields and elements are retained.
         */
        GOES_INTO
    }

    /** Digits of the longest number that is written without an exponent. */
    private static final int MAX_PLAIN_DIGITS = 21;

    private static final JsonNodeFactory NODES = Json.MAPPER.getNodeFactory();

    /**
     * Result of parsing.
     *
     * @param tree a missing node for an empty document
     */
    public record Read(JsonNode tree, DuplicateFields repeated) {}

    /**
     * Parses one document.
     *
     * @throws IOException if it is not JSON, or followed by anything else
     */
    public static Read read(byte[] document, DuplicatePolicy again) throws IOException {
        try (JsonParser json = Json.MAPPER.createParser(document)) {
            var reader = new TreeReader(json, again, new DuplicateFields(document));
            if (json.nextToken() == null) {
                return new Read(MissingNode.getInstance(), reader.repeated);
            }
            JsonNode tree = reader.value();
            if (json.nextToken() != null) {
                throw new JsonParseException(
                        json, "Trailing '" + (json.currentToken() == JsonToken.VALUE_STRING ? "\"" : json.getText()));
            }
            return new Read(tree, reader.repeated);
        }
    }

    private JsonNode value() throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_STRING -> NODES.textNode(json.getText());
            case VALUE_NUMBER_INT -> integer();
            case VALUE_NUMBER_FLOAT -> fraction(json.getDecimalValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                throw new IllegalStateException("no value begins with " + json.currentToken());
        };
    }

    private ObjectNode object() throws IOException {
        ObjectNode object = NODES.objectNode();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            json.nextToken();
            boolean known = object.has(name);
            if (known) {
                repeated.add(field());
            }
            JsonNode value = value();
            object.set(name, known && again == DuplicatePolicy.GOES_INTO ? into(object.path(name), value) : value);
        }
        return object;
    }

    /** Returns the context of the current field, which may be the parent of an already opened value. */
    private JsonStreamContext field() {
        JsonStreamContext context = json.getParsingContext();
        return json.currentToken().isStructStart() ? context.getParent() : context;
    }

    private ArrayNode array() throws IOException {
        ArrayNode array = NODES.arrayNode();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            array.add(value());
        }
        return array;
    }

    /** Merges the later value into the earlier one; takes time linear in the size of the later one. */
    private static JsonNode into(JsonNode earlier, JsonNode later) {
        if (earlier instanceof ObjectNode object && later instanceof ObjectNode more) {
            more.properties()
                    .forEach(field -> object.set(
                            field.getKey(),
                            object.has(field.getKey())
                                    ? into(object.path(field.getKey()), field.getValue())
                                    : field.getValue()));
            return object;
        }
        if (earlier instanceof ArrayNode list && later instanceof ArrayNode more) {
            for (int i = 0; i < Math.min(list.size(), more.size()); i++) {
                more.set(i, into(list.get(i), more.get(i)));
            }
        }
        return later;
    }

    private JsonNode integer() throws IOException {
        return switch (json.getNumberType()) {
            case INT -> NODES.numberNode(json.getIntValue());
            case LONG -> NODES.numberNode(json.getLongValue());
            case BIG_INTEGER -> fraction(new BigDecimal(json.getBigIntegerValue()));
            case FLOAT, DOUBLE, BIG_DECIMAL -> throw new IllegalStateException("an integer has no fraction");
        };
    }

    /**
     * Returns the node that the mapper for stored data creates: equal numbers are equal nodes, regardless of their notation. As in
     * Kubernetes, a number that is no 64-bit integer has the precision of a double.
     */
    private static JsonNode fraction(BigDecimal value) {
        double rounded = value.doubleValue();
        if (Double.isInfinite(rounded)) {
            return NODES.numberNode(value.stripTrailingZeros());
        }
        BigDecimal number = BigDecimal.valueOf(rounded).stripTrailingZeros();
        if (number.scale() > 0 || number.precision() - number.scale() > MAX_PLAIN_DIGITS) {
            return NODES.numberNode(number);
        }
        BigInteger whole = number.toBigIntegerExact();
        int bits = whole.bitLength();
        return bits < Integer.SIZE
                ? NODES.numberNode(whole.intValue())
                : bits < Long.SIZE ? NODES.numberNode(whole.longValue()) : NODES.numberNode(whole);
    }
}
