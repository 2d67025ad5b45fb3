package io.plat.review;

import java.util.Comparator;
import java.util.List;

/**
 * Orders of lists. A hash table finds a key among others of the same hash code without comparing them all only if the key's own class is
 * {@link Comparable}: records that hold strings of clients are ordered by these if they are keys.
 */
public final class ListOrder {
    /** By size, then by the first element that differs. */
    public static final Comparator<List<String>> STRINGS = of(Comparator.naturalOrder());

    private ListOrder() {}

    /** Returns the order by size, then by the first element that differs. */
    public static <T> Comparator<List<T>> of(Comparator<? super T> elements) {
        return (one, other) -> {
            int order = Integer.compare(one.size(), other.size());
            for (int i = 0; order == 0 && i < one.size(); i++) {
                order = elements.compare(one.get(i), other.get(i));
            }
            return order;
        };
    }
}
