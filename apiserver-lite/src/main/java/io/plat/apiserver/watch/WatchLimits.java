package io.plat.apiserver.watch;

import java.time.Duration;

/**
 * Limits of watches, and their bookmark interval.
 *
 * @param watches maximum number of watches; the next one receives 429
 * @param writeTimeout maximum time for a client to read a write; then the watch is aborted
 */
public record WatchLimits(int watches, Duration writeTimeout, Duration bookmarkInterval) {
    /** Half of the server's connection limit; bookmarks as often as in kube-apiserver. */
    public static final WatchLimits DEFAULT = new WatchLimits(10_000, Duration.ofSeconds(10), Duration.ofMinutes(1));

    public WatchLimits {
        if (watches < 1 || !writeTimeout.isPositive() || !bookmarkInterval.isPositive()) {
            throw new IllegalArgumentException("a limit must be positive");
        }
    }
}
