package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.SecureRandom;
import java.util.Map;
import java.util.TreeMap;

/**
 * Hash key of a JSON value: equal values have equal keys. The hash is seeded with a secret of the process, so that clients cannot cause
 * collisions, as they can with the hashes of nodes and strings.
 */
public final class NodeKey {
    private static final long SECRET = new SecureRandom().nextLong();
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final String text;
    private final int hash;

    private NodeKey(String text) {
        this.text = text;
        long mixed = SECRET;
        for (int i = 0; i < text.length(); i++) {
            mixed = (mixed ^ text.charAt(i)) * MULTIPLIER;
            mixed ^= mixed >>> 32;
        }
        this.hash = Long.hashCode(mixed);
    }

    /** Returns the key of a value, which may be a missing node. */
    public static NodeKey of(JsonNode value) {
        if (!value.isContainerNode()) {
            return new NodeKey(scalar(value));
        }
        var text = new StringBuilder();
        write(value, text);
        return new NodeKey(text.toString());
    }

    private static String scalar(JsonNode value) {
        if (value.isTextual()) {
            return '"' + value.textValue();
        }
        return value.isFloatingPointNumber() ? value + "." : value.isMissingNode() ? "" : value.toString();
    }

    private static void write(JsonNode value, StringBuilder text) {
        if (value instanceof ObjectNode object) {
            text.append('{');
            var fields = new TreeMap<String, JsonNode>();
            object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
            for (Map.Entry<String, JsonNode> field : fields.entrySet()) {
                text.append(field.getKey().length()).append(':').append(field.getKey());
                write(field.getValue(), text);
            }
            text.append('}');
        } else if (value.isArray()) {
            text.append('[');
            value.forEach(item -> write(item, text));
            text.append(']');
        } else {
            String scalar = scalar(value);
            text.append(scalar.length()).append(':').append(scalar);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NodeKey key && hash == key.hash && text.equals(key.text);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
