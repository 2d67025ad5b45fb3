package io.plat.engine.access;

import java.util.List;

/**
 * A set of accesses to resources, whatever their namespace: each combination of a value of every side. None of the sides is empty.
 */
final class Shape {
    final Values apiGroups;
    final Values resources;
    final Values subresources;
    final Values verbs;
    final Values names;
    private final int hash;

    Shape(Values apiGroups, Values resources, Values subresources, Values verbs, Values names) {
        this.apiGroups = apiGroups;
        this.resources = resources;
        this.subresources = subresources;
        this.verbs = verbs;
        this.names = names;
        int mixed = apiGroups.hashCode();
        mixed = 31 * mixed + resources.hashCode();
        mixed = 31 * mixed + subresources.hashCode();
        mixed = 31 * mixed + verbs.hashCode();
        this.hash = 31 * mixed + names.hashCode();
    }

    /** The sides, in the order in which a difference is cut: what is left of the last ones is told best. */
    enum Side {
        API_GROUPS,
        RESOURCES,
        SUBRESOURCES,
        VERBS,
        NAMES;

        static final List<Side> ALL = List.of(values());
    }

    Values side(Side side) {
        return switch (side) {
            case API_GROUPS -> apiGroups;
            case RESOURCES -> resources;
            case SUBRESOURCES -> subresources;
            case VERBS -> verbs;
            case NAMES -> names;
        };
    }

    Shape with(Side side, Values values) {
        return switch (side) {
            case API_GROUPS -> new Shape(values, resources, subresources, verbs, names);
            case RESOURCES -> new Shape(apiGroups, values, subresources, verbs, names);
            case SUBRESOURCES -> new Shape(apiGroups, resources, values, verbs, names);
            case VERBS -> new Shape(apiGroups, resources, subresources, values, names);
            case NAMES -> new Shape(apiGroups, resources, subresources, verbs, values);
        };
    }

    boolean meets(Shape other) {
        return resources.meets(other.resources)
                && verbs.meets(other.verbs)
                && apiGroups.meets(other.apiGroups)
                && subresources.meets(other.subresources)
                && names.meets(other.names);
    }

    boolean covers(Shape other) {
        return resources.covers(other.resources)
                && verbs.covers(other.verbs)
                && apiGroups.covers(other.apiGroups)
                && subresources.covers(other.subresources)
                && names.covers(other.names);
    }

    /** Adds what is not in the other, in disjoint pieces: for each side, what it has beyond the other's, of what the sides before share. */
    void cutBy(Shape other, List<Shape> pieces) {
        if (!meets(other)) {
            pieces.add(this);
            return;
        }
        Shape shared = this;
        for (Side side : Side.ALL) {
            Values beyond = side(side).minus(other.side(side));
            if (!beyond.isEmpty()) {
                pieces.add(shared.with(side, beyond));
                shared = shared.with(side, side(side).and(other.side(side)));
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Shape shape
                        && hash == shape.hash
                        && resources.equals(shape.resources)
                        && verbs.equals(shape.verbs)
                        && apiGroups.equals(shape.apiGroups)
                        && subresources.equals(shape.subresources)
                        && names.equals(shape.names));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return verbs + " on " + apiGroups + " " + resources + "/" + subresources + " named " + names;
    }
}
