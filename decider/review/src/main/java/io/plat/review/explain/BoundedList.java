package io.plat.review.explain;

import java.util.List;

/**
 * The first elements of a list.
 *
 * @param items the elements
 * @param leftOut the number of omitted ones
 */
public record BoundedList<T>(List<T> items, long leftOut) {
    public BoundedList {
        items = List.copyOf(items);
        if (leftOut < 0) {
            throw new IllegalArgumentException("negative number of omitted elements: " + leftOut);
        }
    }

    /** Returns an empty list. */
    public static <T> BoundedList<T> none() {
        return new BoundedList<>(List.of(), 0);
    }

    /** Returns the list, limited to a number of elements. */
    public static <T> BoundedList<T> of(List<T> all, int max) {
        return all.size() <= max ? new BoundedList<>(all, 0) : new BoundedList<>(all.subList(0, max), all.size() - max);
    }
}
