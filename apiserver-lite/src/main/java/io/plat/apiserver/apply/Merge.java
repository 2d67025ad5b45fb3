package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Merges applied objects, and removes fields from objects. */
final class Merge {
    private Merge() {}

    /** Returns an object merged with an applied one; neither argument is modified. */
    static JsonNode of(TypeSchema schema, JsonNode live, JsonNode applied) {
        if (Elements.granularObject(schema, applied) && live instanceof ObjectNode object) {
            ObjectNode merged = object.objectNode();
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                String name = field.getKey();
                JsonNode value = field.getValue();
                merged.set(
                        name,
                        applied.has(name)
                                ? of(Elements.field(schema, name), value, applied.path(name))
                                : value.deepCopy());
            }
            for (Map.Entry<String, JsonNode> field : applied.properties()) {
                if (!object.has(field.getKey())) {
                    merged.set(field.getKey(), field.getValue().deepCopy());
                }
            }
            return merged;
        }
        if (Elements.granularList(schema, applied) && live instanceof ArrayNode list) {
            return lists(schema, list, applied);
        }
        return applied.deepCopy();
    }

    /** Merges lists: applied elements keep their order, the remaining live elements keep their positions. */
    private static ArrayNode lists(TypeSchema schema, ArrayNode live, JsonNode applied) {
        Map<String, JsonNode> appliedItems = Elements.of(schema, applied);
        Map<String, JsonNode> liveItems = Elements.of(schema, live);
        ArrayNode merged = live.arrayNode();
        Set<String> processed = new HashSet<>();
        var next = appliedItems.entrySet().iterator();
        for (JsonNode item : live) {
            String step = Elements.step(schema, item);
            if (!appliedItems.containsKey(step)) {
                merged.add(item.deepCopy());
                continue;
            }
            // Copies live elements up to this one.
            while (!processed.contains(step) && next.hasNext()) {
                Map.Entry<String, JsonNode> entry = next.next();
                add(schema, liveItems, entry, merged);
                processed.add(entry.getKey());
                if (liveItems.containsKey(entry.getKey())) {
                    break;
                }
            }
        }
        while (next.hasNext()) {
            add(schema, liveItems, next.next(), merged);
        }
        return merged;
    }

    private static void add(
            TypeSchema schema, Map<String, JsonNode> liveItems, Map.Entry<String, JsonNode> entry, ArrayNode merged) {
        JsonNode old = liveItems.get(entry.getKey());
        merged.add(old == null ? entry.getValue().deepCopy() : of(schema.element(), old, entry.getValue()));
    }

    /** Copies an object, reduced to the members of a set and their ancestors. A partial list element retains its keys. */
    static JsonNode only(TypeSchema schema, JsonNode value, FieldSet set) {
        if (value instanceof ObjectNode object && Elements.granularObject(schema, value)) {
            ObjectNode only = object.objectNode();
            set.below().forEach((step, node) -> {
                String name = step.substring(2);
                if (step.startsWith("f:") && object.has(name)) {
                    only.set(name, only(Elements.field(schema, name), object.path(name), node));
                }
            });
            return only;
        }
        if (value instanceof ArrayNode list && Elements.granularList(schema, value)) {
            ArrayNode only = list.arrayNode();
            for (JsonNode item : list) {
                FieldSet node = set.at(Elements.step(schema, item));
                if (!node.isEmpty()) {
                    only.add(withKeys(schema, item, only(schema.element(), item, node)));
                }
            }
            return only;
        }
        return value.deepCopy();
    }

    private static JsonNode withKeys(TypeSchema schema, JsonNode item, JsonNode only) {
        if (only instanceof ObjectNode object) {
            for (String key : schema.keys()) {
                if (item.has(key)) {
                    object.set(key, item.path(key));
                }
            }
        }
        return only;
    }

    /** Removes the members of a set from an object, in place, with everything below them. */
    static void remove(TypeSchema schema, JsonNode value, FieldSet set) {
        if (value instanceof ObjectNode object && Elements.granularObject(schema, value)) {
            set.below().forEach((step, node) -> {
                if (step.startsWith("f:")) {
                    String name = step.substring(2);
                    if (node.self()) {
                        object.remove(name);
                    } else {
                        remove(Elements.field(schema, name), object.path(name), node);
                    }
                }
            });
        } else if (value instanceof ArrayNode list && Elements.granularList(schema, value)) {
            var kept = new ArrayList<JsonNode>();
            for (JsonNode item : list) {
                FieldSet node = set.at(Elements.step(schema, item));
                if (!node.self()) {
                    kept.add(item);
                    if (!node.isEmpty()) {
                        remove(schema.element(), item, node);
                    }
                }
            }
            if (kept.size() < list.size()) {
                list.removeAll();
                list.addAll(kept);
            }
        }
    }
}
