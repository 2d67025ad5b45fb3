package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Removes the fields of an object that its schema does not declare, and nulls that it does not allow. */
public final class Pruning {
    private static final Set<String> META = Set.of("apiVersion", "kind", "metadata");

    /** Maximum number of unknown fields that are reported. */
    private static final int MAX_REPORTED = 100;

    private final List<String> unknown = new ArrayList<>();

    private Pruning() {}

    /**
     * Prunes in place.
     *
     * @return paths of the undeclared fields
     */
    public static List<String> prune(TypeSchema schema, ObjectNode object) {
        var pruning = new Pruning();
        pruning.fields(schema, object, FieldPath.ROOT, true);
        pruning.unknown.sort(null);
        return pruning.unknown;
    }

    private void value(@Nullable TypeSchema schema, JsonNode value, FieldPath at) {
        if (value instanceof ObjectNode object) {
            fields(schema, object, at, schema != null && schema.embedded());
        } else if (value instanceof ArrayNode list) {
            @Nullable TypeSchema items = schema == null ? null : schema.items();
            // A list without an items schema may be preserved as a whole.
            if (schema == null || items != null || !schema.preserves()) {
                for (int i = 0; i < list.size(); i++) {
                    value(items, list.get(i), at.at(i));
                }
            }
        }
    }

    private void fields(@Nullable TypeSchema schema, ObjectNode object, FieldPath at, boolean root) {
        Iterator<Map.Entry<String, JsonNode>> fields = object.properties().iterator();
        while (fields.hasNext()) {
            Map.Entry<String, JsonNode> field = fields.next();
            String name = field.getKey();
            @Nullable TypeSchema fieldSchema = schema == null ? null : schema.of(name);
            if (root && META.contains(name)) {
                continue;
            }
            if (fieldSchema != null && isUnset(fieldSchema, field.getValue())) {
                fields.remove();
            } else if (fieldSchema != null || (schema != null && schema.anyAdditional())) {
                value(fieldSchema, field.getValue(), at.field(name));
            } else if (schema == null || !schema.preserves()) {
                if (unknown.size() < MAX_REPORTED) {
                    unknown.add(at.field(name).toString());
                }
                fields.remove();
            }
        }
    }

    /** Returns whether a value is a null that its schema does not allow and no default replaces: the field is absent. */
    private static boolean isUnset(TypeSchema schema, JsonNode value) {
        return value.isNull() && !schema.nullable() && schema.defaultValue().isMissingNode();
    }

    /** Checks the defaults of a schema and of all schemas below it, including by the compiled rules. */
    public static void check(@Nullable TypeSchema schema, FieldPath at, ValidationRules rules, Causes causes) {
        if (schema == null) {
            return;
        }
        JsonNode value = schema.defaultValue();
        if (!value.isMissingNode()) {
            FieldPath child = at.field("default");
            var pruning = new Pruning();
            pruning.value(schema, value.deepCopy(), FieldPath.ROOT);
            if (!pruning.unknown.isEmpty()) {
                causes.invalid(child, FieldErrorMessages.shown(value), "must not have unknown fields");
            }
            int found = causes.found();
            ValueCheck.part(schema, value, null, child, causes);
            if (causes.found() == found) {
                rules.checkDefault(schema, value, child, causes);
            }
        }
        check(schema.items(), at.field("items"), rules, causes);
        schema.properties()
                .forEach((name, field) -> check(field, at.field("properties").key(name), rules, causes));
    }
}
