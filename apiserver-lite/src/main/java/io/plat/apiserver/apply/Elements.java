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
        Map<String, JsonNode> standards = schema.element().standards();
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

    /** All fields of an object that somebody applies: what is written in it is what is owned. */
    static FieldSet written(TypeSchema schema, JsonNode object) {
        var set = new FieldSet();
        write(schema, object, set);
        return set;
    }

    private static void write(TypeSchema schema, JsonNode value, FieldSet set) {
        if (granularObject(schema, value)) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                FieldSet below = set.begin(FieldSet.field(field.getKey()));
                write(field(schema, field.getKey()), field.getValue(), below);
                // A name that somebody gave is owned beside what stands under it, and an empty value is all that there
                // is.
                if (field.getValue().isEmpty() || !fixed(schema, field.getKey())) {
                    below.addSelf();
                }
            }
        } else if (granularList(schema, value)) {
            of(schema, value).forEach((step, item) -> {
                FieldSet below = set.begin(step);
                below.addSelf();
                write(schema.element(), item, below);
            });
        } else {
            set.addSelf();
        }
    }
}
