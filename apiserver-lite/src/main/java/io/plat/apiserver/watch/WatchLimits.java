package io.plat.apiserver.watch;

import java.time.Duration;

/**
 * Limits of watches, and the time between their bookmarks.
 *
 * @param most watches at a time; the next is answered 429
 * @param write how long a client may take to read what is written to it at once; then it is cut off
 * @param betweenBookmarks the time from one bookmark to the next of a watch that wants them
 */
public record WatchLimits(int most, Duration write, Duration betweenBookmarks) {
    /** Half of the connections that the server accepts; bookmarks as often as servers of the field send them. */
    public static final WatchLimits DEFAULT = new WatchLimits(10_000, Duration.ofSeconds(10), Duration.ofMinutes(1));

    public WatchLimits {
        if (most < 1 || !write.isPositive() || !betweenBookmarks.isPositive()) {
            throw new IllegalArgumentException("a limit must be positive");
        }
    }
}
