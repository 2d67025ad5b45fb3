package io.plat.apiserver.schema;

import org.jspecify.annotations.Nullable;

/**
 * Where a value stands in an object, or a schema in a schema. It is made for every value that is looked at and written out only where
 * a message needs it, so that a valid object costs no texts. Immutable.
 */
public final class FieldPath {
    /** The object itself. */
    public static final FieldPath ROOT = new FieldPath(null, "", -1);

    private static final int NAMED = -1;
    private static final int KEYED = -2;

    private final @Nullable FieldPath parent;
    private final String name;

    /** In a list; or how the name is written. */
    private final int index;

    private FieldPath(@Nullable FieldPath parent, String name, int index) {
        this.parent = parent;
        this.name = name;
        this.index = index;
    }

    /** A field that was named with dots, below the object. */
    public static FieldPath of(String dotted) {
        return ROOT.field(dotted);
    }

    /** A field of what stands here. */
    public FieldPath field(String of) {
        return new FieldPath(this, of, NAMED);
    }

    /** Returns the path of a map's value under a key. */
    public FieldPath key(String of) {
        return new FieldPath(this, of, KEYED);
    }

    /** An element of a list that stands here. */
    public FieldPath at(int element) {
        return new FieldPath(this, "", element);
    }

    /** The name or the key of what stands here; {@code ""} in a list. */
    public String name() {
        return name;
    }

    /** Returns whether this is the object itself. */
    public boolean isRoot() {
        return parent == null;
    }

    /** The same for every element of a list: {@code spec.containers[].image}. */
    public String pattern() {
        var text = new StringBuilder();
        write(text, true);
        return text.toString();
    }

    /** Returns the path as Kubernetes writes it, {@code spec.containers[0].image}; {@code ""} for the object itself. */
    @Override
    public String toString() {
        var text = new StringBuilder();
        write(text, false);
        return text.toString();
    }

    private void write(StringBuilder text, boolean alike) {
        if (parent == null) {
            return;
        }
        parent.write(text, alike);
        switch (index) {
            case NAMED -> text.append(text.isEmpty() ? "" : ".").append(name);
            case KEYED -> text.append('[').append(name).append(']');
            default -> text.append('[').append(alike ? "" : index).append(']');
        }
    }
}
