package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.Map;
import java.util.function.Supplier;

/** Differences between two states of an object, field by field. */
record Comparison(FieldSet changed, FieldSet removed) {
    private static final JsonNode NOTHING = MissingNode.getInstance();

    static Comparison of(TypeSchema schema, JsonNode before, JsonNode after) {
        return of(schema, before, after, 0);
    }

    private static Comparison of(TypeSchema schema, JsonNode before, JsonNode after, int depth) {
        if (before.isMissingNode() || after.isMissingNode()) {
            return new Comparison(
                    after.isMissingNode() ? new FieldSet() : Elements.fields(schema, after, true),
                    after.isMissingNode() ? Elements.fields(schema, before, true) : new FieldSet());
        }
        var comparison = new Comparison(new FieldSet(), new FieldSet());
        comparison.compare(schema, before, after, depth);
        return comparison;
    }

    boolean isEmpty() {
        return changed.isEmpty() && removed.isEmpty();
    }

    FieldSet unchanged(FieldSet fields) {
        return fields.difference(changed).difference(removed);
    }

    private void compare(TypeSchema schema, JsonNode before, JsonNode after, int depth) {
        // Null is an empty container.
        JsonNode one = after.isNull() ? before : after;
        boolean within = (!before.isEmpty() || !after.isEmpty())
                && (before.isNull() || after.isNull() || before.getNodeType() == after.getNodeType());
        if (within && Elements.granularObject(schema, one)) {
            objects(schema, before, after, depth + 1);
        } else if (within && Elements.granularList(schema, one)) {
            lists(schema, before, after, depth + 1);
        } else if (!after.equals(before)) {
            changed.addSelf();
            if (after.getNodeType() != before.getNodeType()) {
                Elements.fields(schema, after, true).below().forEach(changed::put);
                Elements.fields(schema, before, true).below().forEach(removed::put);
            }
        }
    }

    /**
     * Compares two values below a step. Most are equal and need no separate sets. Objects and lists are tested for equality only at
     * depths that are powers of two: at every depth, the time would be quadratic in the depth.
     */
    private void below(Supplier<String> step, TypeSchema schema, JsonNode before, JsonNode after, int depth) {
        if (after.isValueNode() && !(after.isNull() && before.isContainerNode())) {
            if (!after.equals(before)) {
                changed.put(step.get(), FieldSet.LEAF);
            }
            return;
        }
        if (Integer.bitCount(depth) == 1 && after.equals(before)) {
            return;
        }
        var inner = of(schema, before, after, depth);
        if (!inner.changed.isEmpty()) {
            changed.put(step.get(), inner.changed);
        }
        if (!inner.removed.isEmpty()) {
            removed.put(step.get(), inner.removed);
        }
    }

    private void objects(TypeSchema schema, JsonNode before, JsonNode after, int depth) {
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            below(
                    () -> FieldSet.field(field.getKey()),
                    Elements.field(schema, field.getKey()),
                    before.path(field.getKey()),
                    field.getValue(),
                    depth);
        }
        for (Map.Entry<String, JsonNode> field : before.properties()) {
            if (!after.has(field.getKey())) {
                below(
                        () -> FieldSet.field(field.getKey()),
                        Elements.field(schema, field.getKey()),
                        field.getValue(),
                        NOTHING,
                        depth);
            }
        }
    }

    private void lists(TypeSchema schema, JsonNode before, JsonNode after, int depth) {
        Map<String, JsonNode> old = Elements.of(schema, before);
        Map<String, JsonNode> now = Elements.of(schema, after);
        now.forEach((step, is) -> below(() -> step, schema.element(), old.getOrDefault(step, NOTHING), is, depth));
        old.forEach((step, was) -> {
            if (!now.containsKey(step)) {
                below(() -> step, schema.element(), was, NOTHING, depth);
            }
        });
    }
}
