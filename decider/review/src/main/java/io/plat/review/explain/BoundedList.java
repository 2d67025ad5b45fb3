package io.plat.review.explain;

import java.util.List;

/**
 * The first elements of a list.
 *
 * @param items the elements
 * @param leftOut the number of further ones
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
    public static <T> BoundedList<T> of(List<T> all, int most) {
        return all.size() <= most
                ? new BoundedList<>(all, 0)
                : new BoundedList<>(all.subList(0, most), all.size() - most);
    }
}
