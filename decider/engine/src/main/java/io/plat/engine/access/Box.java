package io.plat.engine.access;

import java.util.Objects;

/**
 * Accesses to resources in some namespaces.
 *
 * @param shape which, whatever the namespace
 * @param namespaces where; the value {@code ""} is no namespace
 */
record Box(Shape shape, Values namespaces) {
    Box {
        Objects.requireNonNull(shape);
        Objects.requireNonNull(namespaces);
    }

    boolean contains(Box one) {
        return namespaces.covers(one.namespaces) && shape.covers(one.shape);
    }
}
