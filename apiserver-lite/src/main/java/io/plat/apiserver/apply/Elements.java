package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The parts of a value that are owned one by one: fields of an object, elements of a list. */
final class Elements {
    private Elements() {}

    /** Whether a value is an object or a map whose fields are owned one by one. */
    static boolean granularObject(TypeSchema schema, JsonNode value) {
        return value.isObject()
                && !schema.atomic()
                && switch (schema.form()) {
                    case OBJECT, MAP, ANY -> true;
                    case LIST, TEXT, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, QUANTITY -> false;
                };
    }

    /** Whether a value is a list whose elements are owned one by one. */
    static boolean granularList(TypeSchema schema, JsonNode value) {
        return value.isArray() && schema.form() == TypeSchema.Form.LIST && !schema.atomic();
    }

    /** The schema of a field; of one that is not known, of anything. */
    static TypeSchema field(TypeSchema schema, String name) {
        return schema.at(name).orElse(TypeSchema.UNKNOWN);
    }

    /** Whether a field is one that the type has, and no name that somebody gave. */
    static boolean fixed(TypeSchema schema, String name) {
        return schema.form() == TypeSchema.Form.OBJECT && schema.fields().containsKey(name);
    }

    /** The elements of a granular list by their steps; of several that are told apart by nothing the first. */
    static Map<String, JsonNode> of(TypeSchema schema, JsonNode list) {
        var elements = new LinkedHashMap<String, JsonNode>();
        for (JsonNode item : list) {
            elements.putIfAbsent(step(schema, item), item);
        }
        return elements;
    }

    /** The step to an element of a granular list. */
    static String step(TypeSchema schema, JsonNode item) {
        if (schema.listKind() == TypeSchema.ListKind.SET) {
            return FieldSet.value(item);
        }
        var keys = new TreeMap<String, JsonNode>();
        Map<String, JsonNode> standards = schema.element().defaults();
        for (String key : schema.keys()) {
            JsonNode value = item.path(key);
            if (!value.isMissingNode()) {
                keys.put(key, value);
            } else if (standards.containsKey(key)) {
                keys.put(key, standards.get(key));
            }
        }
        return FieldSet.keys(keys);
    }

    /**
     * Returns the fields of a value.
     *
     * @param whole whether each of them is a member, as of a value that is present in one state only; else those alone that are owned
     *     by whoever writes the value
     */
    static FieldSet fields(TypeSchema schema, JsonNode value, boolean whole) {
        boolean object = granularObject(schema, value);
        if (value.isEmpty() || (!object && !granularList(schema, value))) {
            return FieldSet.LEAF;
        }
        var set = new FieldSet();
        if (object) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                String name = field.getKey();
                FieldSet inner = fields(field(schema, name), field.getValue(), whole);
                // A name that somebody gave is owned beside what stands under it.
                set.put(FieldSet.field(name), fixed(schema, name) ? inner : member(inner));
            }
        } else {
            of(schema, value).forEach((step, item) -> set.put(step, member(fields(schema.element(), item, whole))));
        }
        return whole ? member(set) : set;
    }

    /** Adds the node itself to a set that was just built, or that has it already and may be shared. */
    private static FieldSet member(FieldSet set) {
        if (!set.self()) {
            set.addSelf();
        }
        return set;
    }
}
