package io.plat.apiserver.watch;

import java.time.Duration;

/**
 * Limits of watches, and their bookmark interval.
 *
 * @param most maximum number of watches; the next one receives 429
 * @param write maximum time for a client to read a write; then the watch is aborted
 * @param betweenBookmarks interval of bookmarks, for watches that request them
 */
public record WatchLimits(int most, Duration write, Duration betweenBookmarks) {
    /** Half of the server's connection limit; bookmarks as often as in kube-apiserver. */
    public static final WatchLimits DEFAULT = new WatchLimits(10_000, Duration.ofSeconds(10), Duration.ofMinutes(1));

    public WatchLimits {
        if (most < 1 || !write.isPositive() || !betweenBookmarks.isPositive()) {
            throw new IllegalArgumentException("a limit must be positive");
        }
    }
}
