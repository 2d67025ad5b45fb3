package io.plat.engine.access;

import io.plat.review.ListOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A finite or cofinite set of values of an attribute. As there are infinitely many strings, a cofinite set is never empty, and two of them always
 * intersect. Immutable.
 */
public final class Values implements Comparable<Values> {
    /** Every value. */
    public static final Values ALL = new Values(true, Set.of());

    /** No value. */
    public static final Values NONE = new Values(false, Set.of());

    private final boolean allExcept;
    private final Set<String> listed;
    private final int hash;

    private Values(boolean allExcept, Set<String> listed) {
        this.allExcept = allExcept;
        this.listed = listed;
        this.hash = 31 * listed.hashCode() + (allExcept ? 1 : 0);
    }

    /** Returns the set of these values. */
    public static Values of(Collection<String> values) {
        return values.isEmpty() ? NONE : new Values(false, new HashSet<>(values));
    }

    public static Values of(String value) {
        return new Values(false, Set.of(value));
    }

    /** Returns the set of all values except these. */
    public static Values allExcept(Collection<String> values) {
        return values.isEmpty() ? ALL : new Values(true, new HashSet<>(values));
    }

    /** Returns whether the set is cofinite. */
    public boolean isWide() {
        return allExcept;
    }

    /** Returns whether the set is empty. */
    public boolean isEmpty() {
        return !allExcept && listed.isEmpty();
    }

    /** Returns whether every value is included. */
    public boolean isAll() {
        return allExcept && listed.isEmpty();
    }

    /** Returns the values, or the excluded ones if the set is cofinite; sorted. */
    public List<String> listed() {
        return listed.stream().sorted().toList();
    }

    /** Returns the number of listed values. */
    int size() {
        return listed.size();
    }

    /** Returns the same as {@link #listed}, unsorted and without a copy; not to be modified. */
    Set<String> unsorted() {
        return listed;
    }

    /** Returns whether the set has a value. */
    public boolean contains(String value) {
        return allExcept != listed.contains(value);
    }

    Values complement() {
        return new Values(!allExcept, listed);
    }

    /** Returns the intersection. */
    public Values and(Values other) {
        if (equals(other) || other.isAll()) {
            return this;
        }
        if (isAll()) {
            return other;
        }
        if (allExcept && other.allExcept) {
            Set<String> excluded = new HashSet<>(listed);
            excluded.addAll(other.listed);
            return new Values(true, excluded);
        }
        Values finite = allExcept ? other : this;
        Values filter = allExcept ? this : other;
        Set<String> retained = new HashSet<>();
        for (String value : finite.listed) {
            if (filter.contains(value)) {
                retained.add(value);
            }
        }
        return retained.isEmpty() ? NONE : new Values(false, retained);
    }

    /** Returns the difference. */
    public Values minus(Values other) {
        return and(other.complement());
    }

    /** Returns the union. */
    public Values or(Values other) {
        return complement().and(other.complement()).complement();
    }

    /** Returns the union of many sets; adding them one by one would be quadratic. */
    static Values union(List<Values> many) {
        if (many.size() == 1) {
            return many.getFirst();
        }
        List<String> finite = new ArrayList<>();
        Values wide = NONE;
        for (Values some : many) {
            if (some.allExcept) {
                wide = wide.or(some);
            } else {
                finite.addAll(some.listed);
            }
        }
        return wide.or(of(finite));
    }

    /** Returns whether the sets intersect. */
    public boolean intersects(Values other) {
        if (allExcept && other.allExcept) {
            return true;
        }
        boolean first = !allExcept && (other.allExcept || listed.size() <= other.listed.size());
        Values finite = first ? this : other;
        Values filter = first ? other : this;
        for (String value : finite.listed) {
            if (filter.contains(value)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the other set is a subset. */
    public boolean covers(Values other) {
        if (!allExcept) {
            return !other.allExcept && listed.containsAll(other.listed);
        }
        return other.allExcept
                ? other.listed.containsAll(listed)
                : !complement().intersects(other);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Values values
                        && hash == values.hash
                        && allExcept == values.allExcept
                        && listed.equals(values.listed));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Order of sets that have the same hash code. */
    @Override
    public int compareTo(Values other) {
        int order = Boolean.compare(allExcept, other.allExcept);
        return order == 0 ? ListOrder.STRINGS.compare(listed(), other.listed()) : order;
    }

    @Override
    public String toString() {
        return allExcept ? "all but " + listed() : listed().toString();
    }
}
