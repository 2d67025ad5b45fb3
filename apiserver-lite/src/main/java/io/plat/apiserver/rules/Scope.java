package io.plat.apiserver.rules;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A position in an object during its validation: the field that rules apply to, inside of which others. It also holds what rules
 * remember from one element of a list to the next. For one thread.
 */
final class Scope {
    private final Field field;
    private final @Nullable Scope outer;
    private final String definition;
    private final boolean list;
    private @Nullable Map<Object, Object> memory;

    private Scope(Field field, @Nullable Scope outer, String definition, boolean list) {
        this.field = field;
        this.outer = outer;
        this.definition = definition;
        this.list = list;
    }

    /** The position at a whole object of a type. */
    static Scope of(Field object, String type) {
        return new Scope(object, null, type, true);
    }

    /** A position inside of this one. */
    Scope at(Field inner) {
        return new Scope(inner, this, "", false);
    }

    /** The same, at which the rules of a definition begin. */
    Scope at(Field inner, String name) {
        return new Scope(inner, this, name, false);
    }

    /** The position of a list, which elements have in common. */
    Scope list(Field inner) {
        return new Scope(inner, this, "", true);
    }

    Field field() {
        return field;
    }

    /** The list that this is in, or the whole object. */
    Scope list() {
        Scope at = this;
        while (!at.list && at.outer != null) {
            at = at.outer;
        }
        return at;
    }

    /** The nearest position at which the rules of a definition begin; the whole object where there is none. */
    Scope of(String name) {
        Scope at = this;
        while (!at.definition.equals(name) && at.outer != null) {
            at = at.outer;
        }
        return at;
    }

    /** The whole object. */
    Scope root() {
        Scope at = this;
        while (at.outer != null) {
            at = at.outer;
        }
        return at;
    }

    /** Returns what a rule remembers here, made the first time. */
    @SuppressWarnings("unchecked")
    <T> T remember(Object rule, Supplier<T> first) {
        if (memory == null) {
            memory = new HashMap<>();
        }
        return (T) memory.computeIfAbsent(rule, any -> first.get());
    }
}
