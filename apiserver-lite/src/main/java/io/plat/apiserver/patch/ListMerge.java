package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.NodeKey;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * List being merged with a patch. Elements are identified by the value of a field, or by themselves. Takes time linear in the lengths of
 * the lists.
 */
final class ListMerge {
    private final ArrayNode nodes;
    private final String key;
    private final Map<NodeKey, Integer> before = new HashMap<>();

    /** Elements by identity; of duplicates, the first one is changed. */
    private final Map<NodeKey, JsonNode> elements = new LinkedHashMap<>();

    private final List<JsonNode> alike = new ArrayList<>();

    /** Removed identities, including all duplicates. */
    private final Set<NodeKey> removed = new HashSet<>();

    private final Map<NodeKey, Integer> sent = new LinkedHashMap<>();

    /** @param key field that identifies elements; {@code ""} for scalars */
    ListMerge(ArrayNode list, String key) {
        this.nodes = list;
        this.key = key;
        for (JsonNode item : list) {
            NodeKey identity = identity(item);
            before.putIfAbsent(identity, before.size());
            if (elements.putIfAbsent(identity, item) != null) {
                alike.add(item);
            }
        }
    }

    private NodeKey identity(JsonNode item) {
        return NodeKey.of(identity(item, key));
    }

    private NodeKey requireIdentity(JsonNode item) throws StatusException {
        if (!key.isEmpty() && !item.has(key)) {
            throw StrategicMergePatch.invalid("map: " + shown(item) + " does not contain declared merge key: " + key);
        }
        if (key.isEmpty() && item instanceof ObjectNode) {
            throw StrategicMergePatch.invalid("cannot merge lists without merge key");
        }
        return identity(item);
    }

    private static String shown(JsonNode item) {
        var names = new ArrayList<String>();
        item.fieldNames().forEachRemaining(names::add);
        String text = String.join(" ", names);
        return "map[" + text.substring(0, Math.min(text.length(), 200)) + "]";
    }

    JsonNode find(JsonNode item) throws StatusException {
        JsonNode known = elements.get(requireIdentity(item));
        return known == null ? nodes.missingNode() : known;
    }

    void put(JsonNode item) throws StatusException {
        NodeKey identity = requireIdentity(item);
        elements.put(identity, item);
        sent.putIfAbsent(identity, sent.size());
    }

    void remove(JsonNode item) throws StatusException {
        NodeKey identity = requireIdentity(item);
        elements.remove(identity);
        removed.add(identity);
    }

    void clear() {
        elements.clear();
        alike.clear();
    }

    /** Returns the list in the order of the patch, with its other elements in between. */
    ArrayNode inOrder() {
        return interleaved(sent);
    }

    ArrayNode inOrder(ArrayNode desired) {
        var order = new LinkedHashMap<NodeKey, Integer>();
        for (JsonNode item : desired) {
            order.putIfAbsent(identity(item), order.size());
        }
        return interleaved(order);
    }

    /** Interleaves both orders; an element that only the list has precedes the elements that it preceded before. */
    private ArrayNode interleaved(Map<NodeKey, Integer> order) {
        var ordered = new ArrayList<NodeKey>();
        order.keySet().stream().filter(elements::containsKey).forEach(ordered::add);
        var others = new ArrayList<NodeKey>();
        elements.keySet().stream()
                .filter(identity -> !order.containsKey(identity))
                .forEach(others::add);
        ArrayNode list = nodes.arrayNode();
        int i = 0;
        int j = 0;
        while (i < others.size() || j < ordered.size()) {
            boolean other = j == ordered.size() || (i < others.size() && precedes(others.get(i), ordered.get(j)));
            list.add(elements.get(other ? others.get(i++) : ordered.get(j++)));
        }
        for (JsonNode item : alike) {
            if (!removed.contains(identity(item))) {
                list.add(item);
            }
        }
        return list;
    }

    private boolean precedes(NodeKey one, NodeKey other) {
        Integer at = before.get(one);
        Integer otherAt = before.get(other);
        return at != null && otherAt != null && at < otherAt;
    }

    static void removeValues(ObjectNode target, String name, JsonNode values) {
        if (values instanceof ArrayNode list && target.path(name) instanceof ArrayNode present) {
            Set<NodeKey> gone = new HashSet<>();
            list.forEach(item -> gone.add(NodeKey.of(item)));
            ArrayNode remaining = present.arrayNode();
            for (JsonNode item : present) {
                if (!gone.contains(NodeKey.of(item))) {
                    remaining.add(item);
                }
            }
            target.set(name, remaining);
        }
    }

    /**
     * Checks that the elements of a patch are in its explicit order.
     *
     * @throws StatusException 400 if they are not
     */
    static void requireSameOrder(ArrayNode items, ArrayNode desired, String key) throws StatusException {
        int at = 0;
        for (JsonNode item : items) {
            if (item.path(StrategicMergePatch.PATCH).isTextual()) {
                continue;
            }
            JsonNode identity = key.isEmpty() ? item : item.path(key);
            while (at < desired.size() && !identity(desired.get(at), key).equals(identity)) {
                at++;
            }
            if (at == desired.size()) {
                throw StrategicMergePatch.badRequest("the order in patch list doesn't match the setElementOrder list");
            }
        }
    }

    private static JsonNode identity(JsonNode item, String key) {
        return key.isEmpty() ? item : item.path(key);
    }
}
