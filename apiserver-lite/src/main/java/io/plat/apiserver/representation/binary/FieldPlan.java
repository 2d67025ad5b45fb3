package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.core.io.SerializedString;
import org.jspecify.annotations.Nullable;

/**
 * Conversion of one field.
 *
 * @param name JSON name, encoded once; empty for an inlined message
 * @param kind form of its values; for a map, of its entries, which are messages
 * @param nested plan of its values if they are messages, else null
 * @param part index in {@link MessagePlan#parts} of the inlined message that contains it; -1 for none
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

    enum Shape {
        ONE,
        ARRAY,
        /** An object in JSON; an array of messages with a key (1) and a value (2) in protobuf. */
        MAP
    }

    /** Handling in JSON of zero numbers, strings and booleans. Servers write zero values to protobuf freely. */
    enum Zero {
        /** Omitted: absence is equivalent. */
        OMITTED,
        /** Present only if protobuf has it: zero differs from absence. */
        SHOWN,
        /** Always present, even if protobuf has none: the field is required. */
        ALWAYS
    }

    private static final SerializedString NO_NAME = new SerializedString("");

    /** Returns a field without a JSON name: an inlined message, or a part of a map entry or envelope. */
    static FieldPlan unnamed(int number, ValueKind kind, @Nullable MessagePlan nested, int part) {
        return new FieldPlan(NO_NAME, number, Shape.ONE, kind, Zero.OMITTED, nested, -1, part);
    }

    /** Returns the tag: number and wire type, which precede each value. */
    int tag() {
        return (number << 3) | kind.wireType();
    }

    MessagePlan plan() {
        if (nested == null) {
            throw new IllegalStateException(name.getValue() + " holds no messages");
        }
        return nested;
    }
}
