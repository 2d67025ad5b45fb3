package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The place of a value in a document (RFC 6901).
 *
 * @param parents the keys on the way
 * @param last the key of the value
 * @param whole whether the whole document is meant; then there are no keys
 */
record Pointer(List<String> parents, String last, boolean whole) {
    /** The place that a text names; empty if it is not empty and does not begin with a slash. */
    static Optional<Pointer> parse(String text) {
        if (text.isEmpty()) {
            return Optional.of(new Pointer(List.of(), "", true));
        }
        if (!text.startsWith("/")) {
            return Optional.empty();
        }
        String[] parts = text.split("/", -1);
        var keys = new ArrayList<String>(parts.length);
        for (int i = 1; i < parts.length; i++) {
            keys.add(parts[i].replace("~1", "/").replace("~0", "~"));
        }
        return Optional.of(new Pointer(List.copyOf(keys.subList(0, keys.size() - 1)), keys.getLast(), false));
    }

    /** The depth of the value. */
    int depth() {
        return whole ? 0 : parents.size() + 1;
    }

    /** The object or list that holds, or would hold, the value; empty where there is none. */
    Optional<JsonNode> holder(JsonNode document) {
        JsonNode at = document;
        for (String key : parents) {
            at = child(at, key);
            if (!at.isContainerNode()) {
                return Optional.empty();
            }
        }
        return Optional.of(at);
    }

    /** Returns the value under a key of an object or a list; a missing node without one. */
    static JsonNode child(JsonNode holder, String key) {
        return holder instanceof ArrayNode list ? list.path(index(key, list.size())) : holder.path(key);
    }

    /**
     * The position that a key means in a list.
     *
     * @param size the number of positions; a negative number counts from the end, as existing servers have it
     * @return -1 if it means none
     */
    static int index(String key, int size) {
        if (!key.matches("-?[0-9]{1,9}")) {
            return -1;
        }
        int index = Integer.parseInt(key);
        int position = index < 0 ? index + size : index;
        return position < size ? Math.max(position, -1) : -1;
    }

    /** Whether a document is an object or a list, which alone can hold anything. */
    static boolean holds(JsonNode document) {
        return document instanceof ObjectNode || document instanceof ArrayNode;
    }
}
