package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Differences between two states of an object, field by field.
 *
 * @param changed the fields that were added or have another value
 * @param removed the fields that were removed
 */
record Comparison(FieldSet changed, FieldSet removed) {
    private static final JsonNode NOTHING = MissingNode.getInstance();

    static Comparison of(TypeSchema schema, JsonNode before, JsonNode after) {
        if (before.isMissingNode() || after.isMissingNode()) {
            return new Comparison(
                    after.isMissingNode() ? new FieldSet() : Elements.fields(schema, after, true),
                    after.isMissingNode() ? Elements.fields(schema, before, true) : new FieldSet());
        }
        var comparison = new Comparison(new FieldSet(), new FieldSet());
        comparison.compare(schema, before, after);
        return comparison;
    }

    boolean isEmpty() {
        return changed.isEmpty() && removed.isEmpty();
    }

    /** Returns the fields that do not differ. */
    FieldSet from(FieldSet fields) {
        return fields.difference(changed).difference(removed);
    }

    private void compare(TypeSchema schema, JsonNode before, JsonNode after) {
        boolean within = (!before.isEmpty() || !after.isEmpty()) && before.getNodeType() == after.getNodeType();
        if (within && Elements.granularObject(schema, after)) {
            objects(schema, before, after);
        } else if (within && Elements.granularList(schema, after)) {
            lists(schema, before, after);
        } else if (!after.equals(before)) {
            changed.addSelf();
        }
    }

    /** Compares two values below a step. Most are unchanged scalars, which need no sets of their own. */
    private void below(Supplier<String> step, TypeSchema schema, JsonNode before, JsonNode after) {
        if (after.isValueNode() && after.equals(before)) {
            return;
        }
        var inner = of(schema, before, after);
        if (!inner.changed.isEmpty()) {
            changed.put(step.get(), inner.changed);
        }
        if (!inner.removed.isEmpty()) {
            removed.put(step.get(), inner.removed);
        }
    }

    private void objects(TypeSchema schema, JsonNode before, JsonNode after) {
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            // Each value is compared once, on the way down, not once per level.
            below(
                    () -> FieldSet.field(field.getKey()),
                    Elements.field(schema, field.getKey()),
                    before.path(field.getKey()),
                    field.getValue());
        }
        for (Map.Entry<String, JsonNode> field : before.properties()) {
            if (!after.has(field.getKey())) {
                below(
                        () -> FieldSet.field(field.getKey()),
                        Elements.field(schema, field.getKey()),
                        field.getValue(),
                        NOTHING);
            }
        }
    }

    private void lists(TypeSchema schema, JsonNode before, JsonNode after) {
        Map<String, JsonNode> old = Elements.of(schema, before);
        Map<String, JsonNode> now = Elements.of(schema, after);
        now.forEach((step, is) -> below(() -> step, schema.element(), old.getOrDefault(step, NOTHING), is));
        old.forEach((step, was) -> {
            if (!now.containsKey(step)) {
                below(() -> step, schema.element(), was, NOTHING);
            }
        });
    }
}
