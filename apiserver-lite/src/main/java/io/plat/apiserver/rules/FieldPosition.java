package io.plat.apiserver.rules;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Position in an object during validation: the field to which rules apply, and its enclosing ones. Also holds state that rules share
 * between list elements. Not thread-safe.
 */
final class FieldPosition {
    private final Field field;
    private final @Nullable FieldPosition outer;
    private final String definition;
    private final boolean list;
    private @Nullable Map<Object, Object> memory;

    private FieldPosition(Field field, @Nullable FieldPosition outer, String definition, boolean list) {
        this.field = field;
        this.outer = outer;
        this.definition = definition;
        this.list = list;
    }

    static FieldPosition of(Field object, String type) {
        return new FieldPosition(object, null, type, true);
    }

    FieldPosition at(Field inner) {
        return new FieldPosition(inner, this, "", false);
    }

    /** Returns a position at which the rules of a definition start. */
    FieldPosition at(Field inner, String name) {
        return new FieldPosition(inner, this, name, false);
    }

    /** Returns the position of a list, which its elements share. */
    FieldPosition list(Field inner) {
        return new FieldPosition(inner, this, "", true);
    }

    Field field() {
        return field;
    }

    /** Returns the enclosing list, or the whole object. */
    FieldPosition list() {
        FieldPosition at = this;
        while (!at.list && at.outer != null) {
            at = at.outer;
        }
        return at;
    }

    /** Returns the nearest position at which the rules of a definition start, or the whole object. */
    FieldPosition of(String name) {
        FieldPosition at = this;
        while (!at.definition.equals(name) && at.outer != null) {
            at = at.outer;
        }
        return at;
    }

    FieldPosition root() {
        FieldPosition at = this;
        while (at.outer != null) {
            at = at.outer;
        }
        return at;
    }

    /** Returns the shared state of a rule at this position, created on first use. */
    @SuppressWarnings("unchecked")
    <T> T remember(Object rule, Supplier<T> first) {
        if (memory == null) {
            memory = new HashMap<>();
        }
        return (T) memory.computeIfAbsent(rule, any -> first.get());
    }
}
