package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * JSON pointer (RFC 6901).
 *
 * @param whole whether it refers to the whole document, without keys
 */
record Pointer(List<String> parents, String last, boolean whole) {
    /** Parses a pointer; empty unless the text is empty or starts with a slash. */
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

    int depth() {
        return whole ? 0 : parents.size() + 1;
    }

    /** Returns the object or list that contains, or would contain, the value; empty if there is none. */
    Optional<JsonNode> parent(JsonNode document) {
        JsonNode at = document;
        for (String key : parents) {
            at = child(at, key);
            if (!at.isContainerNode()) {
                return Optional.empty();
            }
        }
        return Optional.of(at);
    }

    /** Returns the value under a key of an object or list; a missing node if absent. */
    static JsonNode child(JsonNode parent, String key) {
        return parent instanceof ArrayNode list ? list.path(index(key, list.size())) : parent.path(key);
    }

    /**
     * Returns the list index that a key denotes.
     *
     * @param size number of valid indices; a negative index counts from the end, as in kube-apiserver
     * @return -1 if the key is not a valid index
     */
    static int index(String key, int size) {
        if (!key.matches("-?[0-9]{1,9}")) {
            return -1;
        }
        int index = Integer.parseInt(key);
        int position = index < 0 ? index + size : index;
        return position < size ? Math.max(position, -1) : -1;
    }

    static boolean holds(JsonNode document) {
        return document instanceof ObjectNode || document instanceof ArrayNode;
    }
}
