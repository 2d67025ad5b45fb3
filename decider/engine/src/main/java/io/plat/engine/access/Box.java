package io.plat.engine.access;

/**
 * Accesses to resources in a set of namespaces.
 *
 * @param shape the accesses, regardless of namespace
 * @param namespaces the namespaces; {@code ""} is no namespace
 */
record Box(Shape shape, Values namespaces) {
    boolean contains(Box one) {
        return namespaces.covers(one.namespaces) && shape.covers(one.shape);
    }
}
