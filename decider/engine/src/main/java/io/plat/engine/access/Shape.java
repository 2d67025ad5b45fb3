package io.plat.engine.access;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A set of accesses to resources, regardless of namespace: the product of the values of its sides. None of the sides is empty. */
final class Shape {
    private final Values[] sides;
    private final int hash;

    Shape(Values apiGroups, Values resources, Values subresources, Values verbs, Values names) {
        this(new Values[] {apiGroups, resources, subresources, verbs, names});
    }

    private Shape(Values[] sides) {
        this.sides = sides;
        this.hash = Arrays.hashCode(sides);
    }

    /** The sides, in the order in which a difference is split: remainders of the last ones are the most readable. */
    enum Side {
        API_GROUPS(0),
        RESOURCES(1),
        SUBRESOURCES(2),
        VERBS(3),
        NAMES(4);

        static final List<Side> ALL = List.of(values());

        private final int position;

        Side(int position) {
            this.position = position;
        }
    }

    Values side(Side side) {
        return sides[side.position];
    }

    Shape with(Side side, Values values) {
        Values[] changed = sides.clone();
        changed[side.position] = values;
        return new Shape(changed);
    }

    boolean intersects(Shape other) {
        for (int i = 0; i < sides.length; i++) {
            if (!sides[i].intersects(other.sides[i])) {
                return false;
            }
        }
        return true;
    }

    boolean covers(Shape other) {
        for (int i = 0; i < sides.length; i++) {
            if (!sides[i].covers(other.sides[i])) {
                return false;
            }
        }
        return true;
    }

    /** Adds the difference in disjoint pieces: for each side, the values beyond the other's, within the intersection of the previous sides. */
    void cutBy(Shape other, List<Shape> pieces) {
        if (!intersects(other)) {
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
                || (other instanceof Shape shape && hash == shape.hash && Arrays.equals(sides, shape.sides));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return Side.ALL.stream().map(side -> side + " " + side(side)).collect(Collectors.joining(", "));
    }
}
