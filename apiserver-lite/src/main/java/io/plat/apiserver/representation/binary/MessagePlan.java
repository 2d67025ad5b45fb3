package io.plat.apiserver.representation.binary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one message is translated: its fields in the order of their numbers, found by number when reading the wire and by name
 * when reading JSON. Immutable.
 */
final class MessagePlan {
    /** Part of a message: a field of its own, or a nested message whose fields JSON shows as the outer one's. */
    sealed interface Entry permits FieldPlan, Inlined {
        int number();
    }

    /**
     * A nested message that JSON does not nest.
     *
     * @param number its field's number
     * @param plan its fields
     */
    record Inlined(int number, MessagePlan plan) implements Entry {}

    /**
     * Where a JSON field belongs.
     *
     * @param field its plan
     * @param index counts the fields of the JSON object, from 0
     * @param inlined the index in {@link #inlinedParts} of the message that holds it; -1 for the object's own message
     */
    record Placement(FieldPlan field, int index, int inlined) {}

    /**
     * An inlined message, as the writer of the outer one sees it.
     *
     * @param number its field's number
     * @param parent the index of the inlined message that holds it, always smaller than its own; -1 for none
     */
    record InlinedPart(int number, int parent) {}

    private final String message;
    private final Entry[] entries;
    private final int[] slots;
    private final Map<String, Placement> placements = new HashMap<>();
    private final List<InlinedPart> inlinedParts = new ArrayList<>();

    /**
     * @param message the message's full name, for what is said about it
     * @param entries in the order of their numbers, no number twice
     */
    MessagePlan(String message, List<Entry> entries) {
        this.message = message;
        this.entries = entries.toArray(Entry[]::new);
        slots = new int[entries.isEmpty() ? 0 : entries.getLast().number() + 1];
        Arrays.fill(slots, -1);
        for (int slot = 0; slot < this.entries.length; slot++) {
            slots[this.entries[slot].number()] = slot;
        }
        place(this, -1);
    }

    private void place(MessagePlan plan, int inlined) {
        for (Entry entry : plan.entries) {
            switch (entry) {
                case FieldPlan field ->
                    placements.put(field.name().getValue(), new Placement(field, placements.size(), inlined));
                case Inlined part -> {
                    inlinedParts.add(new InlinedPart(part.number(), inlined));
                    place(part.plan(), inlinedParts.size() - 1);
                }
            }
        }
    }

    /** The message's name without its package. */
    String shortName() {
        return message.substring(message.lastIndexOf('.') + 1);
    }

    /** The message's full name. */
    String message() {
        return message;
    }

    /** How many entries there are. */
    int size() {
        return entries.length;
    }

    /** The entry at an index. */
    Entry entry(int slot) {
        return entries[slot];
    }

    /** The index of the entry with a field number; -1 where there is none. */
    int slot(int number) {
        return number < slots.length ? slots[number] : -1;
    }

    /** Where a JSON field belongs; null for one that nobody knows. */
    @Nullable
    Placement placement(String name) {
        return placements.get(name);
    }

    /** How many fields the JSON object has. */
    int fieldCount() {
        return placements.size();
    }

    /** The inlined messages, outer ones before those they hold. */
    List<InlinedPart> inlinedParts() {
        return inlinedParts;
    }
}
