package io.plat.apiserver.tree;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;

/** Writer of trees to a generator, without the mapper's set-up and flush for each. */
public final class TreeWriter {
    private TreeWriter() {}

    public static void write(JsonNode value, JsonGenerator json) throws IOException {
        switch (value.getNodeType()) {
            case OBJECT -> {
                json.writeStartObject();
                for (Map.Entry<String, JsonNode> field : value.properties()) {
                    write(field, json);
                }
                json.writeEndObject();
            }
            case ARRAY -> {
                json.writeStartArray();
                for (JsonNode item : value) {
                    write(item, json);
                }
                json.writeEndArray();
            }
            case STRING -> json.writeString(value.textValue());
            case BOOLEAN -> json.writeBoolean(value.booleanValue());
            case NULL -> json.writeNull();
            case NUMBER -> writeNumber(value, json);
            case BINARY, MISSING, POJO ->
                throw new IllegalArgumentException("not a JSON value: " + value.getNodeType());
        }
    }

    public static void write(Map.Entry<String, JsonNode> field, JsonGenerator json) throws IOException {
        json.writeFieldName(field.getKey());
        write(field.getValue(), json);
    }

    private static void writeNumber(JsonNode number, JsonGenerator json) throws IOException {
        switch (number.numberType()) {
            case INT -> json.writeNumber(number.intValue());
            case LONG -> json.writeNumber(number.longValue());
            case BIG_INTEGER -> json.writeNumber(number.bigIntegerValue());
            case FLOAT -> json.writeNumber(number.floatValue());
            case DOUBLE -> json.writeNumber(number.doubleValue());
            case BIG_DECIMAL -> json.writeNumber(number.decimalValue());
        }
    }
}
