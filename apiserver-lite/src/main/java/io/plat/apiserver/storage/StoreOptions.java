package io.plat.apiserver.storage;

import java.time.Clock;
import java.time.InstantSource;
import java.util.Objects;

/**
 * What a store in memory is told.
 *
 * @param history how much of the past to keep
 * @param maxHistoryBytes about how many bytes of memory the past may take, whatever the policy says
 * @param clock the time of changes
 */
public record StoreOptions(HistoryPolicy history, long maxHistoryBytes, InstantSource clock) {
    public StoreOptions {
        Objects.requireNonNull(history);
        Objects.requireNonNull(clock);
        if (maxHistoryBytes < 1) {
            throw new IllegalArgumentException("no room for history: " + maxHistoryBytes);
        }
    }

    /** A policy, within a quarter of the heap, under the system's clock. */
    public static StoreOptions keeping(HistoryPolicy history) {
        return new StoreOptions(history, Runtime.getRuntime().maxMemory() / 4, Clock.systemUTC());
    }
}
