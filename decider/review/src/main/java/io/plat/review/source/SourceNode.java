package io.plat.review.source;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A value in a file, with its location. */
public sealed interface SourceNode {
    Location where();

    /** Returns the type of the value, for a message: {@code a string}, {@code an integer}, {@code a list} and so on. */
    String describe();

    /** A mapping; keys are strings and unique. */
    final class Mapping implements SourceNode {
        /** Maximum number of fields that are searched one by one: policy files have hundreds of thousands of small mappings. */
        private static final int FEW = 8;

        private final Location where;
        private final List<Field> entries;
        private final @Nullable Map<String, Field> index;

        /**
         * A field.
         *
         * @param where the location of its key
         */
        public record Field(String key, Location where, SourceNode value) {}

        /**
         * Creates a mapping.
         *
         * @param where its location
         * @param entries fields with unique keys, in the order of the file
         */
        public Mapping(Location where, Collection<Field> entries) {
            this.where = where;
            this.entries = List.copyOf(entries);
            this.index = entries.size() <= FEW
                    ? null
                    : entries.stream().collect(Collectors.toMap(Field::key, field -> field));
        }

        @Override
        public Location where() {
            return where;
        }

        /** Returns the fields, in the order of the file. */
        public List<Field> entries() {
            return entries;
        }

        /** Returns the values by key, in the order of the file. */
        public SequencedMap<String, SourceNode> fields() {
            SequencedMap<String, SourceNode> fields = LinkedHashMap.newLinkedHashMap(entries.size());
            entries.forEach(field -> fields.put(field.key(), field.value()));
            return fields;
        }

        @Override
        public String describe() {
            return "a mapping";
        }

        /** Returns the value of a field, or null if it is absent. An explicit null is a {@link Scalar}. */
        public @Nullable SourceNode get(String key) {
            if (index != null) {
                Field field = index.get(key);
                return field == null ? null : field.value();
            }
            for (int i = 0; i < entries.size(); i++) {
                if (entries.get(i).key().equals(key)) {
                    return entries.get(i).value();
                }
            }
            return null;
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
