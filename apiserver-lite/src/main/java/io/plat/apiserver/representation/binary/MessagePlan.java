package io.plat.apiserver.representation.binary;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Conversion of one message: its fields in the order of their numbers, found by number when reading protobuf and by name when reading
 * JSON. Immutable once {@link #define defined}.
 */
final class MessagePlan {
    private final String message;
    private final ValueKind kind;
    private FieldPlan[] fields = {};
    private int[] slots = {};
    private Map<String, FieldPlan> named = Map.of();
    private List<FieldPlan> parts = List.of();

    /** @param message full name, for failures */
    MessagePlan(String message, ValueKind kind) {
        this.message = message;
        this.kind = kind;
    }

    /**
     * Sets the fields, once.
     *
     * @param ordered fields in protobuf, sorted by distinct numbers
     * @param byName fields of the JSON object, including those of inlined messages
     * @param inlined inlined messages, outer ones before inner ones
     */
    void define(List<FieldPlan> ordered, Map<String, FieldPlan> byName, List<FieldPlan> inlined) {
        fields = ordered.toArray(FieldPlan[]::new);
        slots = new int[ordered.isEmpty() ? 0 : ordered.getLast().number() + 1];
        Arrays.fill(slots, -1);
        for (int slot = 0; slot < fields.length; slot++) {
            slots[fields[slot].number()] = slot;
        }
        named = byName;
        parts = inlined;
    }

    /** Returns the name without its package. */
    String shortName() {
        return message.substring(message.lastIndexOf('.') + 1);
    }

    ValueKind kind() {
        return kind;
    }

    /** Returns the number of fields in protobuf. */
    int size() {
        return fields.length;
    }

    FieldPlan field(int slot) {
        return fields[slot];
    }

    /** Returns the index of the field with a number; -1 if there is none. */
    int slot(int number) {
        return number < slots.length ? slots[number] : -1;
    }

    /** Returns the field with a JSON name; null if unknown. */
    @Nullable
    FieldPlan named(String name) {
        return named.get(name);
    }

    /** Returns the number of fields of the JSON object. */
    int fieldCount() {
        return named.size();
    }

    /** Returns the inlined messages, outer ones before inner ones. */
    List<FieldPlan> parts() {
        return parts;
    }
}
