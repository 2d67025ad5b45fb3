package io.plat.apiserver.custom.schema;

import org.jspecify.annotations.Nullable;

/**
 * Where a value stands in an object, or a schema in a schema. Made at every step of a walk, and a text only where something is said.
 *
 * @param parent what it stands in; null for the whole
 * @param step {@code .name}, {@code [index]} or {@code [key]}
 */
public record FieldPath(@Nullable FieldPath parent, String step) {
    /** The whole. */
    public static final FieldPath ROOT = new FieldPath(null, "");

    /** A field that was named with dots, below the whole. */
    public static FieldPath of(String dotted) {
        return ROOT.field(dotted);
    }

    /** A field of what stands here. */
    public FieldPath field(String name) {
        return new FieldPath(this, "." + name);
    }

    /** An element of what stands here. */
    public FieldPath at(int index) {
        return new FieldPath(this, "[" + index + "]");
    }

    /** A named part of what stands here, as messages write keys. */
    public FieldPath key(String name) {
        return new FieldPath(this, "[" + name + "]");
    }

    /** As messages write it, {@code ""} for the whole. */
    @Override
    public String toString() {
        var text = new StringBuilder();
        write(text);
        return !text.isEmpty() && text.charAt(0) == '.' ? text.substring(1) : text.toString();
    }

    private void write(StringBuilder text) {
        if (parent != null) {
            parent.write(text);
        }
        text.append(step);
    }
}
