package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;

/** What a JSON value is, in the words of the field's messages about values that stand where another kind is expected. */
public final class JsonKind {
    private JsonKind() {}

    /** The word for a value. */
    public static String of(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "array";
            case OBJECT -> "object";
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case NUMBER -> "number";
            case NULL -> "null";
            case BINARY, MISSING, POJO -> "value";
        };
    }
}
