package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What differs between two states of an object, field by field. */
final class Comparison {
    private static final JsonNode NOTHING = MissingNode.getInstance();

    private final FieldSet changed = new FieldSet();
    private final FieldSet removed = new FieldSet();
    private final List<String> path = new ArrayList<>();

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
            changed.add(path);
        } else if (after.isMissingNode()) {
            removed.add(path);
        }
    }

    private static boolean like(JsonNode before, JsonNode shown) {
        return before.isMissingNode() || before.getNodeType() == shown.getNodeType();
    }

    private void leaf(JsonNode before, JsonNode after) {
        if (after.isMissingNode()) {
            removed.add(path);
        } else if (!after.equals(before)) {
            changed.add(path);
        }
    }

    private void objects(TypeSchema schema, JsonNode before, JsonNode after) {
        Set<String> names = new LinkedHashSet<>();
        before.fieldNames().forEachRemaining(names::add);
        after.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            JsonNode old = before.path(name);
            JsonNode now = after.path(name);
            // What is the same need not be gone through.
            if (!old.equals(now)) {
                path.add(FieldSet.field(name));
                compare(Elements.field(schema, name), old, now);
                path.removeLast();
            }
        }
    }

    private void lists(TypeSchema schema, JsonNode before, JsonNode after) {
        Map<String, JsonNode> old = Elements.of(schema, before);
        Map<String, JsonNode> now = Elements.of(schema, after);
        Set<String> steps = new LinkedHashSet<>(old.keySet());
        steps.addAll(now.keySet());
        for (String step : steps) {
            JsonNode was = old.getOrDefault(step, NOTHING);
            JsonNode is = now.getOrDefault(step, NOTHING);
            if (!was.equals(is)) {
                path.add(step);
                compare(schema.element(), was, is);
                path.removeLast();
            }
        }
    }
}
