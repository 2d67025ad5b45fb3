package io.plat.apiserver.storage;

import java.time.Clock;
import java.time.InstantSource;

/**
 * Options of a store in memory.
 *
 * @param maxHistoryBytes approximate memory limit of the history, regardless of the policy
 * @param maxObjectBytes approximate memory limit of the objects and of data derived from them; beyond it they cannot grow, only be
 *     deleted. Namespaces share it fairly: the objects of one take at most four times the free memory
 */
public record StoreOptions(
        HistoryPolicy history,
        long maxHistoryBytes,
        long maxObjectBytes,
        InstantSource clock,
        ForeignEntries foreign,
        CommitListener commits) {
    public StoreOptions {
        if (maxHistoryBytes < 1) {
            throw new IllegalArgumentException("no room for history: " + maxHistoryBytes);
        }
        if (maxObjectBytes < 1) {
            throw new IllegalArgumentException("no room for objects: " + maxObjectBytes);
        }
    }

    /** Creates options without hidden entries and without a listener. */
    public StoreOptions(HistoryPolicy history, long maxHistoryBytes, long maxObjectBytes, InstantSource clock) {
        this(history, maxHistoryBytes, maxObjectBytes, clock, new ForeignEntries(entry -> false), CommitListener.NONE);
    }

    /** Creates options with a limit of two fifths of the heap for objects. */
    public StoreOptions(HistoryPolicy history, long maxHistoryBytes, InstantSource clock) {
        this(history, maxHistoryBytes, Runtime.getRuntime().maxMemory() / 5 * 2, clock);
    }

    /** Returns options for a policy, with a quarter of the heap and the system clock. */
    public static StoreOptions keeping(HistoryPolicy history) {
        return new StoreOptions(history, Runtime.getRuntime().maxMemory() / 4, Clock.systemUTC());
    }

    public StoreOptions with(ForeignEntries others, CommitListener listener) {
        return new StoreOptions(history, maxHistoryBytes, maxObjectBytes, clock, others, listener);
    }
}
