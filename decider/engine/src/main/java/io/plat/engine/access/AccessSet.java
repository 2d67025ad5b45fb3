package io.plat.engine.access;

import io.plat.engine.access.Box.Side;
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
public record AccessSet(ResourceAccess resources, PathAccess paths) {
    /** No access. */
    public static final AccessSet NONE = new AccessSet(ResourceAccess.NONE, PathAccess.NONE);

    private static final Comparator<AccessRow> SHORTEST_FIRST =
            Comparator.comparingInt(AccessRow::size).thenComparing(AccessRow::text);

    public boolean isEmpty() {
        return resources.isEmpty() && paths.isEmpty();
    }

    /** Returns whether an access is in the set. In a resource name, a slash separates the subresource, as in request paths. */
    public boolean contains(AccessAttributes access) {
        return switch (access) {
            case ResourceAttributes resource -> resources.contains(box(resource));
            case NonResourceAttributes path -> paths.contains(path.verb(), path.path());
        };
    }

    /** Returns whether the set has the verb on the resource for some name in some namespace; {@code access} has neither name nor namespace. */
    public boolean containsSomewhere(ResourceAttributes access) {
        return resources.intersects(box(access).with(Side.NAMES, Values.ALL).in(Values.ALL));
    }

    /** Returns whether the set has the verb on the resource for some name in the requested namespace; {@code access} has no name. */
    public boolean containsOfSomeName(ResourceAttributes access) {
        return resources.intersects(box(access).with(Side.NAMES, Values.ALL));
    }

    /** Returns whether the set has every verb on every resource, in one namespace, or in all if {@code ""}. */
    public boolean containsEverything(String namespace) {
        Values all = Values.ALL;
        Box everything = Box.everywhere(all, all, all, all, all);
        return resources.contains(namespace.isEmpty() ? everything : everything.in(Values.of(namespace)));
    }

    private static Box box(ResourceAttributes access) {
        return Box.everywhere(
                        Values.of(ApiGroups.canonical(access.group())),
                        Values.of(access.resource()),
                        Values.of(access.subresource()),
                        Values.of(access.verb()),
                        Values.of(access.name()))
                .in(Values.of(access.namespace()));
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

    /** Returns the set in rows, the shortest first. */
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
