package io.plat.review.explain;

import java.util.List;

/**
 * The first elements of a list.
 *
 * @param items the reported ones
 * @param leftOut the number of further ones
 */
public record BoundedList<T>(List<T> items, long leftOut) {
    public BoundedList {
        items = List.copyOf(items);
        if (leftOut < 0) {
            throw new IllegalArgumentException("less than nothing left out: " + leftOut);
        }
    }

    /** Nothing at all. */
    public static <T> BoundedList<T> none() {
        return new BoundedList<>(List.of(), 0);
    }

    /** All of them, where they are not too many; else the first. */
    public static <T> BoundedList<T> of(List<T> all, int most) {
        return all.size() <= most
                ? new BoundedList<>(all, 0)
                : new BoundedList<>(all.subList(0, most), all.size() - most);
    }
}
