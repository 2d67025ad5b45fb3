package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;

/** Names of JSON types in Kubernetes' messages about values of the wrong type. */
public final class JsonKind {
    private JsonKind() {}

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
