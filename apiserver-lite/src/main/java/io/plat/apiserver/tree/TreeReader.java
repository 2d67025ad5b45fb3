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

/**
 * Reads what a client sends into a tree and notes the fields that stand there more than once: existing servers take the last one, and
 * tell the client. The depth is bounded by the parser. The time is linear in the length of the document, however often fields are
 * repeated.
 */
public final class TreeReader {
    /** What becomes of a field that stands there again. */
    public enum Again {
        /** It takes the place of the earlier one, as in patches. */
        REPLACES,

        /**
         * It is read into the earlier one, as existing servers read typed objects: fields and elements that it does not have stay as they
         * were.
         */
        GOES_INTO
    }

    private static final JsonNodeFactory NODES = Json.MAPPER.getNodeFactory();

    private final JsonParser json;
    private final Again again;
    private final RepeatedFields repeated = new RepeatedFields();

    private TreeReader(JsonParser json, Again again) {
        this.json = json;
        this.again = again;
    }

    /**
     * What was read.
     *
     * @param tree a missing node where there was nothing
     * @param repeated the fields that stood there more than once
     */
    public record Read(JsonNode tree, RepeatedFields repeated) {}

    /**
     * Reads one document.
     *
     * @throws IOException if it is not JSON, or if something stands behind it
     */
    public static Read read(byte[] document, Again again) throws IOException {
        try (JsonParser json = Json.MAPPER.createParser(document)) {
            var reader = new TreeReader(json, again);
            if (json.nextToken() == null) {
                return new Read(MissingNode.getInstance(), reader.repeated);
            }
            JsonNode tree = reader.value();
            if (json.nextToken() != null) {
                throw new JsonParseException(json, "Trailing token");
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
            object.set(name, known && again == Again.GOES_INTO ? into(object.path(name), value) : value);
        }
        return object;
    }

    /** Where the field is whose value begins: in the context, or in the one that the value has already opened another in. */
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

    /** The earlier value with the later one read into it; takes as long as the later one is large. */
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
            case BIG_INTEGER -> NODES.numberNode(json.getBigIntegerValue());
            case FLOAT, DOUBLE, BIG_DECIMAL -> throw new IllegalStateException("an integer has no fraction");
        };
    }

    /** As the mapper has it for what is stored: the same number is the same node, however many zeros end it. */
    private static JsonNode fraction(BigDecimal value) {
        return NODES.numberNode(value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros());
    }
}
