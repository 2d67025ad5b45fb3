package io.plat.apiserver.memory;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * Estimate of the heap size of JSON trees. The size of the text is no estimate: an empty object in a list is three bytes and takes a
 * hundred. Estimates are upper bounds for any document, except for object alignment.
 */
public final class TreeSize {
    /** Empty object: the node and its map. */
    private static final long OBJECT = 80;

    /** Table of a non-empty map, or array of a non-empty list. */
    private static final long FIRST = 80;

    private static final long ARRAY = 48;
    private static final long FIELD = 48;
    private static final long VALUE = 28;

    /** String without its characters: the node, the string and the array. */
    private static final long TEXT = 64;

    private static final long YAML_VALUE = 200;

    private TreeSize() {}

    /** Returns the heap size of the tree of a document, in bytes; arbitrary for malformed JSON. One pass over the bytes. */
    public static long of(byte[] json) {
        long size = 0;
        for (int i = 0; i < json.length; i++) {
            switch (json[i]) {
                case '{' -> size += OBJECT + (i + 1 < json.length && json[i + 1] == '}' ? 0 : FIRST);
                case '[' -> size += ARRAY + (i + 1 < json.length && json[i + 1] == ']' ? 0 : FIRST);
                case ',' -> size += VALUE;
                case ':' -> size += FIELD;
                case '"' -> {
                    int end = endOfText(json, i + 1);
                    size += TEXT + (end - i);
                    i = end;
                }
                default -> size++;
            }
        }
        return size;
    }

    /** Returns the heap size of the tree and position marks of a YAML document, in bytes. */
    public static long ofYaml(byte[] yaml) {
        long size = yaml.length;
        for (int i = 0; i < yaml.length; i++) {
            size += switch (yaml[i]) {
                case '{', '[', ',', ':', '\n', '\r' -> YAML_VALUE;
                case '-', '?' -> i + 1 < yaml.length && yaml[i + 1] > ' ' ? 0 : YAML_VALUE;
                default -> 0;
            };
        }
        return size;
    }

    /** Returns the number of bytes that indentation adds to a document. */
    public static long indentation(byte[] json) {
        long size = 0;
        int depth = 0;
        for (int i = 0; i < json.length; i++) {
            switch (json[i]) {
                case '{', '[' -> size += 2L * ++depth + 1;
                case '}', ']' -> size += 2L * --depth + 1;
                case ',' -> size += 2L * depth + 1;
                case '"' -> i = endOfText(json, i + 1);
                default -> {}
            }
        }
        return Math.max(0, size);
    }

    /** Returns the position of the closing quote, or of the last byte. */
    private static int endOfText(byte[] json, int start) {
        int at = start;
        while (at < json.length && json[at] != '"') {
            // A branch, which is predicted: the next position does not wait for the byte.
            if (json[at] == '\\') {
                at++;
            }
            at++;
        }
        return Math.min(at, json.length - 1);
    }

    /** Returns the heap size of a tree, in bytes. */
    public static long of(JsonNode value) {
        if (value.isObject()) {
            long size = OBJECT + (value.isEmpty() ? 0 : FIRST);
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                size += FIELD + TEXT + field.getKey().length() + of(field.getValue());
            }
            return size;
        }
        if (value.isArray()) {
            long size = ARRAY + (value.isEmpty() ? 0 : FIRST);
            for (JsonNode item : value) {
                size += VALUE + of(item);
            }
            return size;
        }
        return value.isTextual() ? TEXT + value.textValue().length() : VALUE;
    }
}
