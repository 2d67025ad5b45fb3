package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.core.io.SerializedString;
import org.jspecify.annotations.Nullable;

/**
 * The translation of one field.
 *
 * @param name its name in JSON, encoded once; empty for an inlined message
 * @param number its number on the wire
 * @param shape whether it holds one value, an array or a map
 * @param kind the form of its values; of a map the entries, which are messages
 * @param zero the treatment of a zero
 * @param nested the plan of its values where they are messages, else null
 * @param index the number of fields of the JSON object that precede it
 * @param part the index in {@link MessagePlan#parts} of the inlined message that holds it; -1 for none
 */
record FieldPlan(
        SerializedString name,
        int number,
        Shape shape,
        ValueKind kind,
        Zero zero,
        @Nullable MessagePlan nested,
        int index,
        int part) {

    /** Number of values that a field holds. */
    enum Shape {
        ONE,
        ARRAY,
        /** An object in JSON; on the wire an array of messages with a key (1) and a value (2). */
        MAP
    }

    /** The treatment in JSON of a number, a string or a boolean that is zero. Servers write zeros on the wire freely. */
    enum Zero {
        /** Nothing: absence means the same. */
        LEFT_OUT,
        /** The zero where the wire has it, nothing where it does not: the two differ. */
        SHOWN,
        /** The zero, even where the wire has none: the field is required. */
        ALWAYS
    }

    private static final SerializedString NO_NAME = new SerializedString("");

    /** A field that JSON does not name: an inlined message, a part of an entry of a map or of an envelope. */
    static FieldPlan unnamed(int number, ValueKind kind, @Nullable MessagePlan nested, int part) {
        return new FieldPlan(NO_NAME, number, Shape.ONE, kind, Zero.LEFT_OUT, nested, -1, part);
    }

    /** Number and wire type, as they precede each value. */
    int tag() {
        return (number << 3) | kind.wireType();
    }

    /** The plan of the values, which are messages. */
    MessagePlan plan() {
        if (nested == null) {
            throw new IllegalStateException(name.getValue() + " holds no messages");
        }
        return nested;
    }
}
