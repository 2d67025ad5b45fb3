package io.plat.engine.rbac.index;

import java.util.Arrays;

/** Set of role numbers of a subject in a scope. Subjects with equal sets share the merged permissions. */
final class RoleSet implements Comparable<RoleSet> {
    static final RoleSet EMPTY = new RoleSet(new int[0]);

    private static final int FEW = 4;

    /** Sorted, without duplicates. */
    private final int[] ids;

    private final int hash;

    RoleSet(int[] sortedIds) {
        this.ids = sortedIds;
        this.hash = Arrays.hashCode(sortedIds);
    }

    int size() {
        return ids.length;
    }

    /** Returns whether this set has enough roles to be looked up as one merged set. */
    boolean isMerged() {
        return ids.length > FEW;
    }

    int id(int position) {
        return ids[position];
    }

    /** Returns the position of a role, negative if it is not in the set. */
    int position(int id) {
        return Arrays.binarySearch(ids, id);
    }

    /** Returns the roles of this set that are not in the other, in order. */
    int[] without(RoleSet other) {
        int[] rest = new int[ids.length];
        int size = 0;
        int position = 0;
        for (int id : ids) {
            while (position < other.ids.length && other.ids[position] < id) {
                position++;
            }
            if (position == other.ids.length || other.ids[position] != id) {
                rest[size++] = id;
            }
        }
        return Arrays.copyOf(rest, size);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof RoleSet set && hash == set.hash && Arrays.equals(ids, set.ids));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public int compareTo(RoleSet other) {
        return Arrays.compare(ids, other.ids);
    }
}
