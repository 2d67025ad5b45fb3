package io.plat.engine.access;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A set of accesses to resources: the product of the values of its sides, none of which is empty. */
final class Box implements Comparable<Box> {
    private final Values[] sides;
    private final int hash;

    private Box(Values[] sides) {
        this.sides = sides;
        this.hash = Arrays.hashCode(sides);
    }

    /** The sides, in the order in which a difference is split: remainders of the last ones are the most readable. */
    enum Side {
        /** The namespaces; {@code ""} is no namespace. */
        NAMESPACES(0),
        API_GROUPS(1),
        RESOURCES(2),
        SUBRESOURCES(3),
        VERBS(4),
        NAMES(5);

        static final List<Side> ALL = List.of(values());

        private final int position;

        Side(int position) {
            this.position = position;
        }
    }

    /** Returns the accesses in all namespaces, and in none. */
    static Box everywhere(Values apiGroups, Values resources, Values subresources, Values verbs, Values names) {
        return new Box(new Values[] {Values.ALL, apiGroups, resources, subresources, verbs, names});
    }

    Values side(Side side) {
        return sides[side.position];
    }

    Box with(Side side, Values values) {
        Values[] changed = sides.clone();
        changed[side.position] = values;
        return new Box(changed);
    }

    Box in(Values namespaces) {
        return with(Side.NAMESPACES, namespaces);
    }

    /** Returns the number of values that the sides list. */
    int size() {
        int size = 0;
        for (Values side : sides) {
            size += side.size();
        }
        return size;
    }

    boolean intersects(Box other) {
        for (int i = 0; i < sides.length; i++) {
            if (!sides[i].intersects(other.sides[i])) {
                return false;
            }
        }
        return true;
    }

    boolean covers(Box other) {
        for (int i = 0; i < sides.length; i++) {
            if (!sides[i].covers(other.sides[i])) {
                return false;
            }
        }
        return true;
    }

    /** Adds the difference in disjoint pieces: for each side, the values beyond the other's, within the intersection of the previous sides. */
    void cutBy(Box other, List<Box> pieces) {
        if (!intersects(other)) {
            pieces.add(this);
            return;
        }
        Box shared = this;
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
        return this == other || (other instanceof Box box && hash == box.hash && Arrays.equals(sides, box.sides));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Order of boxes that have the same hash code. */
    @Override
    public int compareTo(Box other) {
        return Arrays.compare(sides, other.sides);
    }

    @Override
    public String toString() {
        return Side.ALL.stream().map(side -> side + " " + side(side)).collect(Collectors.joining(", "));
    }
}
