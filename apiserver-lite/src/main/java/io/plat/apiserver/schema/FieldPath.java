package io.plat.apiserver.schema;

import org.jspecify.annotations.Nullable;

/**
 * Path of a value in an object, or of a schema in a schema. Created for every visited value but formatted only for messages, so that a
 * valid object costs no strings. Immutable.
 */
public final class FieldPath {
    public static final FieldPath ROOT = new FieldPath(null, "", -1);

    private static final int NAMED = -1;
    private static final int KEYED = -2;

    private final @Nullable FieldPath parent;
    private final String name;

    /** Index in a list; otherwise the notation of the name. */
    private final int index;

    private FieldPath(@Nullable FieldPath parent, String name, int index) {
        this.parent = parent;
        this.name = name;
        this.index = index;
    }

    public static FieldPath of(String dotted) {
        return ROOT.field(dotted);
    }

    public FieldPath field(String fieldName) {
        return new FieldPath(this, fieldName, NAMED);
    }

    public FieldPath key(String mapKey) {
        return new FieldPath(this, mapKey, KEYED);
    }

    public FieldPath at(int element) {
        return new FieldPath(this, "", element);
    }

    /** Returns the last name or key; {@code ""} in a list. */
    public String name() {
        return name;
    }

    public boolean isRoot() {
        return parent == null;
    }

    /** Returns the path without list indices: {@code spec.containers[].image}. */
    public String pattern() {
        var text = new StringBuilder();
        write(text, true);
        return text.toString();
    }

    /** Returns the path in Kubernetes' notation, {@code spec.containers[0].image}; {@code ""} for the object itself. */
    @Override
    public String toString() {
        var text = new StringBuilder();
        write(text, false);
        return text.toString();
    }

    private void write(StringBuilder text, boolean asPattern) {
        if (parent == null) {
            return;
        }
        parent.write(text, asPattern);
        switch (index) {
            case NAMED -> text.append(text.isEmpty() ? "" : ".").append(name);
            case KEYED -> text.append('[').append(name).append(']');
            default -> text.append('[').append(asPattern ? "" : index).append(']');
        }
    }
}
