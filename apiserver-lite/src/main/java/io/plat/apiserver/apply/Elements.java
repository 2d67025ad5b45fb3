package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.TypeSchema;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Separately owned parts of a value: fields of an object, elements of a list. */
final class Elements {
    private static final int MAX_PROBLEMS = 100;
    private static final String NO_KEYS = FieldSet.keys(new TreeMap<>());

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

    static boolean granularList(TypeSchema schema, JsonNode value) {
        return value.isArray() && schema.form() == TypeSchema.Form.LIST && !schema.atomic();
    }

    /** Returns the schema of a field; one that allows anything for an unknown field. */
    static TypeSchema field(TypeSchema schema, String name) {
        return schema.at(name).orElse(TypeSchema.UNKNOWN);
    }

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

    static String step(TypeSchema schema, JsonNode item) {
        if (schema.listKind() == TypeSchema.ListKind.SET) {
            return FieldSet.value(item);
        }
        if (schema.keys().size() == 1 && item.has(schema.keys().getFirst())) {
            String key = schema.keys().getFirst();
            return FieldSet.key(key, item.path(key));
        }
        var keys = new TreeMap<String, JsonNode>();
        for (String key : schema.keys()) {
            JsonNode value = item.has(key) ? item.path(key) : schema.element().keyDefault(key);
            if (!value.isMissingNode()) {
                keys.put(key, value);
            }
        }
        return FieldSet.keys(keys);
    }

    /**
     * Returns the fields of a value.
     *
     * @param allMembers whether all of them are members, as for a value that is present in one state only; otherwise only those that are
     *     owned by the writer of the value
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

    static boolean isTyped(TypeSchema schema, JsonNode value) {
        return value.isNull()
                || switch (schema.form()) {
                    case OBJECT, MAP ->
                        value.isObject()
                                && value.propertyStream()
                                        .allMatch(member -> isTyped(field(schema, member.getKey()), member.getValue()));
                    case LIST ->
                        value.isArray() && value.valueStream().allMatch(item -> isTyped(schema.element(), item));
                    case TEXT -> value.isTextual();
                    case INTEGER, NUMBER -> value.isNumber();
                    case BOOLEAN -> value.isBoolean();
                    case INT_OR_STRING, QUANTITY, ANY -> true;
                };
    }

    /**
     * Adds elements of lists in an applied value that no key identifies, or that are repeated, with Kubernetes' messages.
     *
     * @param path steps to the value, which are formatted only for messages; the same after the call
     */
    static void check(TypeSchema schema, JsonNode value, List<String> path, List<String> problems) {
        if (granularObject(schema, value)) {
            value.properties()
                    .forEach(member -> checkBelow(
                            FieldSet.field(member.getKey()),
                            field(schema, member.getKey()),
                            member.getValue(),
                            path,
                            problems));
        } else if (granularList(schema, value)) {
            Set<String> earlier = new HashSet<>();
            for (int i = 0; i < value.size() && problems.size() < MAX_PROBLEMS; i++) {
                String step = step(schema, value.get(i));
                if (step.equals(NO_KEYS)) {
                    String keys = FieldErrorMessages.listed(schema.keys(), FieldErrorMessages::quoted);
                    problems.add(problem(
                            path,
                            "element " + i + ": associative list with keys has an element that omits all key fields ["
                                    + keys.replace(", ", " ")
                                    + "] (and doesn't have default values for any key fields)"));
                    return;
                }
                if (!earlier.add(step)) {
                    problems.add(problem(path, "duplicate entries for key " + FieldSet.shown(step)));
                }
                checkBelow(step, schema.element(), value.get(i), path, problems);
            }
        }
    }

    private static void checkBelow(
            String step, TypeSchema schema, JsonNode value, List<String> path, List<String> problems) {
        if (value.isContainerNode()) {
            path.add(step);
            check(schema, value, path, problems);
            path.removeLast();
        }
    }

    private static String problem(List<String> path, String message) {
        return FieldErrorMessages.clipped(FieldSet.shown(path) + ": " + message);
    }

    /** Adds the node itself to a set; copies sets that may be shared. */
    private static FieldSet member(FieldSet set) {
        if (!set.self()) {
            set.addSelf();
        }
        return set;
    }
}
