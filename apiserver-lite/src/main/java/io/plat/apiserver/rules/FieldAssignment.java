package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rows that set fields: {@code default} sets an absent one, {@code set} any, {@code defaults} the absent members of one; {@code drop}
 * removes one. The value is JSON without spaces, or a copy of the value at <code>${PATH}</code>; if that is absent, nothing is set.
 * Parent objects are created.
 */
final class FieldAssignment {
    private static final Set<String> NAMES = Set.of("default", "set", "defaults", "drop");

    private final List<Path.Step> steps;
    private final @Nullable Path from;
    private final JsonNode value;

    private FieldAssignment(Path to, String value) {
        this.steps = to.steps();
        this.from = value.startsWith("${") ? Path.of(value.substring(2, value.length() - 1)) : null;
        this.value = from == null ? ComputedChecks.json(value) : MissingNode.getInstance();
    }

    static boolean is(String name) {
        return NAMES.contains(name);
    }

    /** Returns the row with a name. */
    static Check of(Path to, String name, String value) {
        if (name.equals("drop")) {
            return new FieldAssignment(to, "null")::drop;
        }
        var fill = new FieldAssignment(to, value);
        return switch (name) {
            case "default" -> (field, at) -> fill.set(at, fill.value(at), false);
            case "set" -> (field, at) -> fill.set(at, fill.value(at), true);
            default ->
                (field, at) -> fill.value(at).properties().forEach(member -> {
                    if (fill.parent(at, steps(to)) instanceof ObjectNode object && !object.has(member.getKey())) {
                        object.set(member.getKey(), member.getValue());
                    }
                });
        };
    }

    private static int steps(Path to) {
        return to.steps().size();
    }

    private JsonNode value(Scope at) {
        return from == null ? value : from.field(at).value();
    }

    private void set(Scope at, JsonNode wanted, boolean always) {
        if (!wanted.isMissingNode()
                && parent(at, steps.size() - 1) instanceof ObjectNode object
                && (always || !object.has(name(steps.size() - 1)))) {
            object.set(name(steps.size() - 1), wanted.deepCopy());
        }
    }

    private void drop(Field field, Scope at) {
        JsonNode node = at.field().value();
        for (int i = 0; i < steps.size() - 1; i++) {
            node = node.path(name(i));
        }
        if (node instanceof ObjectNode object) {
            object.remove(name(steps.size() - 1));
        }
    }

    /** Returns the value at the first steps; absent and null objects are created. */
    private JsonNode parent(Scope at, int count) {
        JsonNode node = at.field().value();
        for (int i = 0; i < count && node instanceof ObjectNode object; i++) {
            JsonNode next = object.path(name(i));
            node = next.isMissingNode() || next.isNull() ? object.putObject(name(i)) : next;
        }
        return node;
    }

    private String name(int step) {
        return ((Path.Step.Name) steps.get(step)).name();
    }
}
