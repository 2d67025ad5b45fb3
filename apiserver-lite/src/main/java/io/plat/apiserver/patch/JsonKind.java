package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;

/** Names of the kinds of JSON values, as Kubernetes' messages about a value of the wrong kind have them. */
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
