package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Separately owned parts of a value: fields of an object, elements of a list. */
final class Elements {
    private Elements() {}

    /** Returns whether a value is an object or map whose fields are owned separately. */
    static boolean granularObject(TypeSchema schema, JsonNode value) {
        return value.isObject()
                && !schema.atomic()
                && switch (schema.form()) {
                    case OBJECT, MAP, ANY -> true;
                    case LIST, TEXT, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, QUANTITY -> false;
                };
    }

    /** Returns whether a value is a list whose elements are owned separately. */
    static boolean granularList(TypeSchema schema, JsonNode value) {
        return value.isArray() && schema.form() == TypeSchema.Form.LIST && !schema.atomic();
    }

    /** Returns the schema of a field; one that allows anything for an unknown field. */
    static TypeSchema field(TypeSchema schema, String name) {
        return schema.at(name).orElse(TypeSchema.UNKNOWN);
    }

    /** Returns whether a field is declared by the type, rather than a key of a map. */
    static boolean fixed(TypeSchema schema, String name) {
        return schema.form() == TypeSchema.Form.OBJECT && schema.fields().containsKey(name);
    }

    /** Returns the elements of a granular list by their steps; of duplicates, the first. */
    static Map<String, JsonNode> of(TypeSchema schema, JsonNode list) {
        var elements = new LinkedHashMap<String, JsonNode>();
        for (JsonNode item : list) {
            elements.putIfAbsent(step(schema, item), item);
        }
        return elements;
    }

    /** Returns the step to an element of a granular list. */
    static String step(TypeSchema schema, JsonNode item) {
        if (schema.listKind() == TypeSchema.ListKind.SET) {
            return FieldSet.value(item);
        }
        var keys = new TreeMap<String, JsonNode>();
        Map<String, JsonNode> defaults = schema.element().defaults();
        for (String key : schema.keys()) {
            JsonNode value = item.path(key);
            if (!value.isMissingNode()) {
                keys.put(key, value);
            } else if (defaults.containsKey(key)) {
                keys.put(key, defaults.get(key));
            }
        }
        return FieldSet.keys(keys);
    }

    /**
     * Returns the fields of a value.
     *
     * @param allMembers whether all of them are members, as for a value that is present in one state only; otherwise only those that are owned
     *     by the writer of the value
     */
    static FieldSet fields(TypeSchema schema, JsonNode value, boolean allMembers) {
        boolean object = granularObject(schema, value);
        if (value.isEmpty() || (!object && !granularList(schema, value))) {
            return FieldSet.LEAF;
        }
        var set = new FieldSet();
        if (object) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                String name = field.getKey();
                FieldSet inner = fields(field(schema, name), field.getValue(), allMembers);
                // A map key is owned in addition to the fields below it.
                set.put(FieldSet.field(name), fixed(schema, name) ? inner : member(inner));
            }
        } else {
            of(schema, value)
                    .forEach((step, item) -> set.put(step, member(fields(schema.element(), item, allMembers))));
        }
        return allMembers ? member(set) : set;
    }

    /** Adds the node itself to a set; copies sets that may be shared. */
    private static FieldSet member(FieldSet set) {
        if (!set.self()) {
            set.addSelf();
        }
        return set;
    }
}
