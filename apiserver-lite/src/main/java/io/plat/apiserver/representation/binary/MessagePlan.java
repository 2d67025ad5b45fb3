package io.plat.apiserver.representation.binary;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The translation of one message: its fields in the order of their numbers, found by number when reading the wire and by name when
 * reading JSON. Immutable once {@link #define defined}.
 */
final class MessagePlan {
    private final String message;
    private final ValueKind kind;
    private FieldPlan[] fields = {};
    private int[] slots = {};
    private Map<String, FieldPlan> named = Map.of();
    private List<FieldPlan> parts = List.of();

    /**
     * A message without fields so far.
     *
     * @param message its full name, for messages about it
     * @param kind its form in JSON
     */
    MessagePlan(String message, ValueKind kind) {
        this.message = message;
        this.kind = kind;
    }

    /**
     * Sets the fields, once.
     *
     * @param ordered those on the wire, in the order of their numbers, no number twice
     * @param byName those of the JSON object, fields of inlined messages included
     * @param inlined the inlined messages, outer ones before those they hold
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

    /** The message's name without its package. */
    String shortName() {
        return message.substring(message.lastIndexOf('.') + 1);
    }

    /** The message's form in JSON. */
    ValueKind kind() {
        return kind;
    }

    /** The number of fields on the wire. */
    int size() {
        return fields.length;
    }

    /** The field at an index. */
    FieldPlan field(int slot) {
        return fields[slot];
    }

    /** The index of the field with a number; -1 where there is none. */
    int slot(int number) {
        return number < slots.length ? slots[number] : -1;
    }

    /** The field of the JSON object that has a name; null for an unknown one. */
    @Nullable
    FieldPlan named(String name) {
        return named.get(name);
    }

    /** The number of fields of the JSON object. */
    int fieldCount() {
        return named.size();
    }

    /** The inlined messages, outer ones before those they hold. */
    List<FieldPlan> parts() {
        return parts;
    }
}
