package io.plat.review;

import java.util.Comparator;
import java.util.List;

/**
 * Orders of lists. A hash table with colliding hash codes stays fast only if the keys are {@link Comparable}: records that hold strings of clients
 * are, if they are keys.
 */
public final class ListOrder {
    /** Order by size, then by the first element that differs. */
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
