package io.plat.review.source;

import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** A value in a file, with its location. */
public sealed interface SourceNode {
    Location where();

    /** Returns the type of the value, for a message: {@code a string}, {@code an integer}, {@code a list} and so on. */
    String describe();

    /**
     * A mapping; keys are strings and unique.
     *
     * @param where its location
     * @param fields the values by key, in the order of the file
     * @param keys locations of the keys
     */
    record Mapping(Location where, SequencedMap<String, SourceNode> fields, Map<String, Location> keys)
            implements SourceNode {
        @Override
        public String describe() {
            return "a mapping";
        }

        /** Returns the value of a field, or null if it is absent. An explicit null is a {@link Scalar}. */
        public @Nullable SourceNode get(String key) {
            return fields.get(key);
        }
    }

    /**
     * A list.
     *
     * @param where location of its start
     * @param items its values
     */
    record Sequence(Location where, List<SourceNode> items) implements SourceNode {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String describe() {
            return "a list";
        }
    }

    /**
     * A single value.
     *
     * @param where its location
     * @param type its type by the rules of its format
     * @param text the value as text; {@code ""} for null
     */
    record Scalar(Location where, ScalarType type, String text) implements SourceNode {
        @Override
        public String describe() {
            return switch (type) {
                case STRING -> "a string";
                case INTEGER -> "the integer " + text;
                case FLOAT -> "the number " + text;
                case BOOLEAN -> "the boolean " + text;
                case NULL -> "null";
            };
        }
    }

    /** The types of a single value. */
    enum ScalarType {
        STRING,
        INTEGER,
        FLOAT,
        BOOLEAN,
        NULL
    }
}
