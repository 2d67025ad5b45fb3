package io.plat.engine.access;

import io.plat.review.AccessAttributes;
import io.plat.review.ApiGroups;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A set of accesses, to resources and to paths. Its operations are exact: an access is in a difference if and only if it is in the first
 * set and not in the second. Immutable.
 */
public final class AccessSet {
    /** No access. */
    public static final AccessSet NONE = new AccessSet(ResourceAccess.NONE, PathAccess.NONE);

    private static final Comparator<AccessRow> SHORTEST_FIRST =
            Comparator.comparingInt(AccessRow::size).thenComparing(AccessRow::text);

    private final ResourceAccess resources;
    private final PathAccess paths;

    AccessSet(ResourceAccess resources, PathAccess paths) {
        this.resources = resources;
        this.paths = paths;
    }

    /** Returns whether the set is empty. */
    public boolean isEmpty() {
        return resources.isEmpty() && paths.isEmpty();
    }

    /** Returns whether an access is in the set. A resource with a slash is one with its subresource, as no request path means anything else. */
    public boolean contains(AccessAttributes access) {
        return switch (access) {
            case ResourceAttributes asked -> resources.contains(box(asked));
            case NonResourceAttributes asked -> paths.contains(asked.verb(), asked.path());
        };
    }

    /** Returns whether the set has the verb on the resource for some name in some namespace; {@code asked} has neither. */
    public boolean containsSomewhere(ResourceAttributes asked) {
        Shape shape = box(asked).shape().with(Shape.Side.NAMES, Values.ALL);
        return resources.boxes().stream().anyMatch(box -> box.shape().meets(shape));
    }

    /** Returns whether the set has the verb on the resource for some name in the requested namespace; {@code asked} has no name. */
    public boolean containsOfSomeName(ResourceAttributes asked) {
        Box one = box(asked);
        Shape shape = one.shape().with(Shape.Side.NAMES, Values.ALL);
        return resources.boxes().stream()
                .anyMatch(box ->
                        box.namespaces().covers(one.namespaces()) && box.shape().meets(shape));
    }

    /** Returns whether the set has every verb on every resource, in one namespace, or in all if none is given. */
    public boolean containsEverything(String namespace) {
        Values all = Values.ALL;
        Box everything = new Box(new Shape(all, all, all, all, all), namespace.isEmpty() ? all : Values.of(namespace));
        return resources.contains(everything);
    }

    private static Box box(ResourceAttributes asked) {
        return new Box(
                new Shape(
                        Values.of(ApiGroups.canonical(asked.group())),
                        Values.of(asked.resource()),
                        Values.of(asked.subresource()),
                        Values.of(asked.verb()),
                        Values.of(asked.name())),
                Values.of(asked.namespace()));
    }

    /** Returns the union of both sets. */
    public AccessSet or(AccessSet other) {
        return new AccessSet(resources.or(other.resources), paths.or(other.paths));
    }

    /**
     * Returns the difference of both sets.
     *
     * @throws TooComplexException if the sets overlap in too many ways
     */
    public AccessSet minus(AccessSet other) {
        return minus(other, new ComplexityLimit());
    }

    AccessSet minus(AccessSet other, ComplexityLimit effort) {
        return new AccessSet(resources.minus(other.resources, effort), paths.minus(other.paths));
    }

    /** All of it in rows, the shortest first. */
    public List<AccessRow> rows() {
        List<AccessRow> rows = new ArrayList<>(resources.rows());
        rows.addAll(paths.rows());
        rows.sort(SHORTEST_FIRST);
        return List.copyOf(rows);
    }

    @Override
    public String toString() {
        return rows().toString();
    }
}
