package io.plat.engine.access;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The values that an attribute may have: finitely many, or all but finitely many. As there are infinitely many strings, the second kind
 * is never empty and two of it always meet. Immutable.
 */
public final class Values {
    /** Every value. */
    public static final Values ALL = new Values(true, Set.of());

    /** No value. */
    public static final Values NONE = new Values(false, Set.of());

    private final boolean allBut;
    private final Set<String> listed;
    private final int hash;

    private Values(boolean allBut, Set<String> listed) {
        this.allBut = allBut;
        this.listed = listed;
        this.hash = 31 * listed.hashCode() + (allBut ? 1 : 0);
    }

    /** These values. */
    public static Values of(Collection<String> values) {
        return values.isEmpty() ? NONE : new Values(false, new HashSet<>(values));
    }

    public static Values of(String value) {
        return new Values(false, Set.of(value));
    }

    /** All values but these. */
    public static Values allBut(Collection<String> values) {
        return values.isEmpty() ? ALL : new Values(true, new HashSet<>(values));
    }

    /** Returns whether there are infinitely many values. */
    public boolean isWide() {
        return allBut;
    }

    /** Returns whether there is no value. */
    public boolean isEmpty() {
        return !allBut && listed.isEmpty();
    }

    /** Returns whether every value is included. */
    public boolean isAll() {
        return allBut && listed.isEmpty();
    }

    /** The values, or where there are infinitely many, those that are none of them; sorted. */
    public List<String> listed() {
        return listed.stream().sorted().toList();
    }

    /** As {@link #listed}, in no order and without a copy; not to be changed. */
    Set<String> unsorted() {
        return listed;
    }

    /** Returns whether a value is included. */
    public boolean contains(String value) {
        return allBut != listed.contains(value);
    }

    /** All that are none of them. */
    Values complement() {
        return new Values(!allBut, listed);
    }

    /** Those that are in both. */
    public Values and(Values other) {
        if (equals(other) || other.isAll()) {
            return this;
        }
        if (isAll()) {
            return other;
        }
        if (allBut && other.allBut) {
            Set<String> excluded = new HashSet<>(listed);
            excluded.addAll(other.listed);
            return new Values(true, excluded);
        }
        Values finite = allBut ? other : this;
        Values filter = allBut ? this : other;
        Set<String> retained = new HashSet<>();
        for (String value : finite.listed) {
            if (filter.contains(value)) {
                retained.add(value);
            }
        }
        return retained.isEmpty() ? NONE : new Values(false, retained);
    }

    /** Those that are not in the other. */
    public Values minus(Values other) {
        return and(other.complement());
    }

    /** Those that are in either. */
    public Values or(Values other) {
        return complement().and(other.complement()).complement();
    }

    /** Returns whether both have a value in common. */
    public boolean meets(Values other) {
        if (allBut && other.allBut) {
            return true;
        }
        boolean first = !allBut && (other.allBut || listed.size() <= other.listed.size());
        Values finite = first ? this : other;
        Values filter = first ? other : this;
        for (String value : finite.listed) {
            if (filter.contains(value)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether all values of the other are included. */
    public boolean covers(Values other) {
        if (!allBut) {
            return !other.allBut && listed.containsAll(other.listed);
        }
        return other.allBut ? other.listed.containsAll(listed) : !complement().meets(other);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Values values
                        && hash == values.hash
                        && allBut == values.allBut
                        && listed.equals(values.listed));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return allBut ? "all but " + listed() : listed().toString();
    }
}
