package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.Map;

/** What differs between two states of an object, field by field. */
final class Comparison {
    private static final JsonNode NOTHING = MissingNode.getInstance();

    private final FieldSet changed = new FieldSet();
    private final FieldSet removed = new FieldSet();

    private Comparison() {}

    static Comparison of(TypeSchema schema, JsonNode before, JsonNode after) {
        var comparison = new Comparison();
        comparison.compare(schema, before, after);
        return comparison;
    }

    /** What is there only now, or is something else now. */
    FieldSet changed() {
        return changed;
    }

    /** What is there no more. */
    FieldSet removed() {
        return removed;
    }

    private void compare(TypeSchema schema, JsonNode before, JsonNode after) {
        JsonNode shown = after.isMissingNode() ? before : after;
        boolean empty = before.isEmpty() && after.isEmpty();
        boolean object = Elements.granularObject(schema, shown) && like(before, shown);
        boolean list = Elements.granularList(schema, shown) && like(before, shown);
        if (empty || (!object && !list)) {
            leaf(before, after);
            return;
        }
        if (object) {
            objects(schema, before, after);
        } else {
            lists(schema, before, after);
        }
        if (before.isMissingNode()) {
            changed.addSelf();
        } else if (after.isMissingNode()) {
            removed.addSelf();
        }
    }

    private static boolean like(JsonNode before, JsonNode shown) {
        return before.isMissingNode() || before.getNodeType() == shown.getNodeType();
    }

    private void leaf(JsonNode before, JsonNode after) {
        if (after.isMissingNode()) {
            removed.addSelf();
        } else if (!after.equals(before)) {
            changed.addSelf();
        }
    }

    /** Compares what lies behind a step; what is the same need not be gone through. */
    private void below(String step, TypeSchema schema, JsonNode before, JsonNode after) {
        var inner = Comparison.of(schema, before, after);
        if (!inner.changed.isEmpty()) {
            changed.put(step, inner.changed);
        }
        if (!inner.removed.isEmpty()) {
            removed.put(step, inner.removed);
        }
    }

    private void objects(TypeSchema schema, JsonNode before, JsonNode after) {
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            JsonNode old = before.path(field.getKey());
            if (!old.equals(field.getValue())) {
                below(FieldSet.field(field.getKey()), Elements.field(schema, field.getKey()), old, field.getValue());
            }
        }
        for (Map.Entry<String, JsonNode> field : before.properties()) {
            if (!after.has(field.getKey())) {
                below(
                        FieldSet.field(field.getKey()),
                        Elements.field(schema, field.getKey()),
                        field.getValue(),
                        NOTHING);
            }
        }
    }

    private void lists(TypeSchema schema, JsonNode before, JsonNode after) {
        Map<String, JsonNode> old = Elements.of(schema, before);
        Map<String, JsonNode> now = Elements.of(schema, after);
        now.forEach((step, is) -> {
            JsonNode was = old.getOrDefault(step, NOTHING);
            if (!was.equals(is)) {
                below(step, schema.element(), was, is);
            }
        });
        old.forEach((step, was) -> {
            if (!now.containsKey(step)) {
                below(step, schema.element(), was, NOTHING);
            }
        });
    }
}
