package io.plat.apiserver.options;

import java.util.Objects;

/**
 * Which objects of a collection are meant, and in which state. Strings are as the query has them, {@code ""} where it has not.
 *
 * @param labelSelector only objects with these labels
 * @param fieldSelector only objects with these fields
 * @param resourceVersion the state to show, as {@code resourceVersionMatch} says
 * @param resourceVersionMatch {@code Exact}, {@code NotOlderThan} or {@code ""}
 * @param limit at most so many; 0 for all
 * @param continueToken where an earlier chunk ended
 * @param initialEvents whether {@code sendInitialEvents} was given, which only a watch may have
 */
public record ListOptions(
        String labelSelector,
        String fieldSelector,
        String resourceVersion,
        String resourceVersionMatch,
        int limit,
        String continueToken,
        boolean initialEvents) {
    /** Everything, as it is now. */
    public static final ListOptions DEFAULT = new ListOptions("", "", "", "", 0, "");

    public ListOptions {
        Objects.requireNonNull(labelSelector);
        Objects.requireNonNull(fieldSelector);
        Objects.requireNonNull(resourceVersion);
        Objects.requireNonNull(resourceVersionMatch);
        Objects.requireNonNull(continueToken);
        if (limit < 0) {
            throw new IllegalArgumentException("a negative limit: " + limit);
        }
    }

    /** Creates options without {@code sendInitialEvents}. */
    public ListOptions(
            String labelSelector,
            String fieldSelector,
            String resourceVersion,
            String resourceVersionMatch,
            int limit,
            String continueToken) {
        this(labelSelector, fieldSelector, resourceVersion, resourceVersionMatch, limit, continueToken, false);
    }

    /** Objects that two selectors pick, as they are now. */
    public static ListOptions selecting(String labelSelector, String fieldSelector) {
        return new ListOptions(labelSelector, fieldSelector, "", "", 0, "");
    }
}
