package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.NodeKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says where a list that is a set, or a map by keys, has an element twice. */
public final class ListKeys {
    private ListKeys() {}

    /** Checks all lists of a value. */
    public static void check(SchemaNode schema, JsonNode value, FieldPath at, Findings findings) {
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                @Nullable SchemaNode held = schema.of(field.getKey());
                if (held != null && field.getValue().isContainerNode()) {
                    check(held, field.getValue(), at.field(field.getKey()), findings);
                }
            }
        } else if (value.isArray()) {
            switch (schema.listType()) {
                case "set" -> unique(schema, value, at, findings, false);
                case "map" -> unique(schema, value, at, findings, true);
                default -> {}
            }
            for (int i = 0; i < value.size() && schema.items() != null; i++) {
                check(schema.items(), value.get(i), at.at(i), findings);
            }
        }
    }

    private static void unique(SchemaNode schema, JsonNode list, FieldPath at, Findings findings, boolean byKeys) {
        List<String> names = schema.listKeys();
        Map<NodeKey, Integer> seen = new HashMap<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode element = list.get(i);
            if (byKeys && !element.isObject() && !element.isNull()) {
                findings.invalid(at.at(i), Findings.shown(element), "must be an object for an array of list-type map");
                return;
            }
            JsonNode key = byKeys ? key(names, element) : element;
            if (seen.merge(NodeKey.of(key), 1, Integer::sum) == 2) {
                findings.duplicate(at.at(i), Findings.shown(key));
            }
        }
    }

    private static ObjectNode key(List<String> names, JsonNode element) {
        ObjectNode key = JsonNodeFactory.instance.objectNode();
        for (String name : names) {
            if (element.has(name)) {
                key.set(name, element.path(name));
            }
        }
        return key;
    }
}
