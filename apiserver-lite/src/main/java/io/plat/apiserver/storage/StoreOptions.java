package io.plat.apiserver.storage;

import java.time.Clock;
import java.time.InstantSource;
import java.util.Objects;

/**
 * Settings of a store in memory.
 *
 * @param history how much of the past to keep
 * @param maxHistoryBytes about how many bytes of memory the past may take, whatever the policy says
 * @param maxObjectBytes about how many bytes of memory the objects may take; beyond it they may not grow, only be deleted
 * @param clock the time of changes
 * @param foreign the entries that nobody is shown
 */
public record StoreOptions(
        HistoryPolicy history, long maxHistoryBytes, long maxObjectBytes, InstantSource clock, ForeignEntries foreign) {
    public StoreOptions {
        Objects.requireNonNull(history);
        Objects.requireNonNull(clock);
        Objects.requireNonNull(foreign);
        if (maxHistoryBytes < 1) {
            throw new IllegalArgumentException("no room for history: " + maxHistoryBytes);
        }
        if (maxObjectBytes < 1) {
            throw new IllegalArgumentException("no room for objects: " + maxObjectBytes);
        }
    }

    /** Every entry is shown. */
    public StoreOptions(HistoryPolicy history, long maxHistoryBytes, long maxObjectBytes, InstantSource clock) {
        this(history, maxHistoryBytes, maxObjectBytes, clock, new ForeignEntries(entry -> false));
    }

    /** Objects within two fifths of the heap. */
    public StoreOptions(HistoryPolicy history, long maxHistoryBytes, InstantSource clock) {
        this(history, maxHistoryBytes, Runtime.getRuntime().maxMemory() / 5 * 2, clock);
    }

    /** A policy, within a quarter of the heap, under the system's clock. */
    public static StoreOptions keeping(HistoryPolicy history) {
        return new StoreOptions(history, Runtime.getRuntime().maxMemory() / 4, Clock.systemUTC());
    }

    /** Returns the same options without some entries. */
    public StoreOptions without(ForeignEntries others) {
        return new StoreOptions(history, maxHistoryBytes, maxObjectBytes, clock, others);
    }
}
