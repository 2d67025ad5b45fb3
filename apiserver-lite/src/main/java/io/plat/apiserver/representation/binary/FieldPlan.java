package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.core.io.SerializedString;
import org.jspecify.annotations.Nullable;

/**
 * How one field is translated.
 *
 * @param name its name in JSON, encoded once
 * @param number its number on the wire
 * @param shape whether it holds one value, an array or a map
 * @param kind what its values are
 * @param zero what becomes of a zero
 * @param nested the plan of its values where they are messages or may hold schemas, else null
 */
record FieldPlan(
        SerializedString name,
        int number,
        Shape shape,
        ValueKind kind,
        Zero zero,
        @Nullable PlanLink nested) implements MessagePlan.Entry {

    /** How many values a field holds. */
    enum Shape {
        ONE,
        ARRAY,
        /** An object in JSON; on the wire an array of messages with a key (1) and a value (2). */
        MAP
    }

    /** What JSON shows of a number, a string or a switch that is zero. Servers write zeros on the wire freely. */
    enum Zero {
        /** Nothing: absence means the same. */
        LEFT_OUT,
        /** The zero where the wire has it, nothing where it does not: the two differ. */
        SHOWN,
        /** The zero, even where the wire has none: the field is required. */
        ALWAYS
    }

    /** Number and wire type, as they stand before each value. */
    int tag() {
        return (number << 3) | (shape == Shape.MAP ? WireReader.BLOCK : kind.wireType());
    }

    /** The plan of the values. */
    MessagePlan plan() {
        if (nested == null) {
            throw new IllegalStateException(name.getValue() + " holds no messages");
        }
        return nested.plan();
    }
}
