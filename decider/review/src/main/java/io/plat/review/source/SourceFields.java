package io.plat.review.source;

import io.plat.review.source.SourceNode.Mapping;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.source.SourceNode.ScalarType;
import io.plat.review.source.SourceNode.Sequence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the fields of one mapping. It collects problems, so that all of them are reported at once.
 *
 * <p>An invalid field has the value {@code ""}, false or empty. The result must not be used if there are problems. An explicit null is the same
 * as an absent field. Messages name types and never values, which may be secrets. Not for use by several threads.
 */
public final class SourceFields {
    private final Mapping mapping;
    private final String path;
    private final List<Problem> problems;
    private final Set<String> known = new HashSet<>();

    /**
     * Creates a reader.
     *
     * @param path the prefix of a field's name in a message, such as {@code spec}; {@code ""} at the top
     * @param problems receives the problems
     */
    public SourceFields(Mapping mapping, String path, List<Problem> problems) {
        this.mapping = mapping;
        this.path = path;
        this.problems = problems;
    }

    /**
     * Returns the fields of a value that must be a mapping; if it is not, adds a problem and returns those of an empty one.
     *
     * @param path the name of the value in messages; {@code ""} for a whole document
     */
    public static SourceFields of(SourceNode node, String path, List<Problem> problems) {
        if (node instanceof Mapping mapping) {
            return new SourceFields(mapping, path, problems);
        }
        String what = path.isEmpty() ? "" : path + ": ";
        problems.add(new Problem(node.where(), what + "expected a mapping, found " + typeOf(node)));
        return new SourceFields(empty(node.where()), path, problems);
    }

    /** Returns the location of the mapping. */
    public Location where() {
        return mapping.where();
    }

    /** Returns the location of a field's value, or of the mapping if the field is absent. */
    public Location where(String key) {
        SourceNode value = mapping.get(key);
        return value == null ? mapping.where() : value.where();
    }

    /** Returns the path of a field in messages. */
    public String path(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** Returns whether a field is present and not null. Does not make the field a known one. */
    public boolean has(String key) {
        return present(key) != null;
    }

    /** Adds a problem with a field that is explicitly null, if null must not mean absent. */
    public void refuseNull(String key, String message) {
        if (mapping.get(key) instanceof SourceNode.Scalar scalar && scalar.type() == SourceNode.ScalarType.NULL) {
            problem(key, message);
        }
    }

    /** Adds a problem with a field, at its line. */
    public void problem(String key, String message) {
        problems.add(new Problem(where(key), path(key) + ": " + message));
    }

    /** Returns a required, non-empty string. */
    public String requiredString(String key) {
        if (!has(key)) {
            known.add(key);
            problem(key, "required");
            return "";
        }
        int before = problems.size();
        String value = string(key);
        if (value.isEmpty() && problems.size() == before) {
            problem(key, "must not be empty");
        }
        return value;
    }

    /** Returns a string, or {@code ""} if absent. */
    public String string(String key) {
        SourceNode value = take(key);
        if (value == null) {
            return "";
        }
        if (value instanceof Scalar(Location at, ScalarType type, String text) && type == ScalarType.STRING) {
            return text;
        }
        problem(key, "expected a string, found " + typeOf(value) + (value instanceof Scalar ? "; quote it" : ""));
        return "";
    }

    /** Returns a boolean, or false if absent. */
    public boolean bool(String key) {
        SourceNode value = take(key);
        if (value == null) {
            return false;
        }
        if (value instanceof Scalar(Location at, ScalarType type, String text) && type == ScalarType.BOOLEAN) {
            return text.equals("true");
        }
        problem(key, "expected true or false, found " + typeOf(value));
        return false;
    }

    /** Returns a list of strings, empty if absent. */
    public List<String> strings(String key) {
        List<String> strings = new ArrayList<>();
        List<SourceNode> items = list(key);
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof Scalar(Location at, ScalarType type, String text)
                    && type == ScalarType.STRING) {
                strings.add(text);
            } else {
                SourceNode item = items.get(i);
                problems.add(
                        new Problem(item.where(), path(key) + "[" + i + "]: expected a string, found " + typeOf(item)));
            }
        }
        return List.copyOf(strings);
    }

    /** Returns the values of a list, empty if absent. */
    public List<SourceNode> list(String key) {
        SourceNode value = take(key);
        if (value == null) {
            return List.of();
        }
        if (value instanceof Sequence(Location at, List<SourceNode> items)) {
            return items;
        }
        problem(key, "expected a list, found " + typeOf(value));
        return List.of();
    }

    /** Returns the fields of each mapping of a list, empty if absent. */
    public List<SourceFields> mappings(String key) {
        List<SourceFields> mappings = new ArrayList<>();
        List<SourceNode> items = list(key);
        for (int i = 0; i < items.size(); i++) {
            mappings.add(of(items.get(i), path(key) + "[" + i + "]", problems));
        }
        return mappings;
    }

    /** Reads a mapping; an absent one is empty ({@link #has} distinguishes). */
    public SourceFields mapping(String key) {
        SourceNode value = take(key);
        return value == null
                ? new SourceFields(empty(mapping.where()), path(key), problems)
                : of(value, path(key), problems);
    }

    public SourceFields requiredMapping(String key) {
        if (!has(key)) {
            problem(key, "required");
        }
        return mapping(key);
    }

    /** Returns the unparsed value of a field, or null if it is absent. */
    public @Nullable SourceNode node(String key) {
        return take(key);
    }

    /** Marks fields as known without reading them. */
    public void ignore(String... keys) {
        known.addAll(List.of(keys));
    }

    /** Adds a problem for every field that was neither read nor ignored, with the nearest known name. Must be called last. */
    public void rejectUnknown() {
        for (Mapping.Field field : mapping.entries()) {
            if (!known.contains(field.key())) {
                problems.add(new Problem(
                        field.where(),
                        prefix() + "unknown field " + Quoted.of(field.key())
                                + NearestName.suggestion(field.key(), known)));
            }
        }
    }

    private String prefix() {
        return path.isEmpty() ? "" : path + ": ";
    }

    private @Nullable SourceNode take(String key) {
        known.add(key);
        return present(key);
    }

    private @Nullable SourceNode present(String key) {
        SourceNode value = mapping.get(key);
        return value instanceof Scalar(Location at, ScalarType type, String text) && type == ScalarType.NULL
                ? null
                : value;
    }

    private static Mapping empty(Location where) {
        return new Mapping(where, List.of());
    }

    private static String typeOf(SourceNode node) {
        return switch (node) {
            case Mapping mapping -> mapping.describe();
            case Sequence sequence -> sequence.describe();
            case Scalar scalar ->
                switch (scalar.type()) {
                    case STRING -> "a string";
                    case INTEGER -> "an integer";
                    case FLOAT -> "a number";
                    case BOOLEAN -> "a boolean";
                    case NULL -> "null";
                };
        };
    }
}
