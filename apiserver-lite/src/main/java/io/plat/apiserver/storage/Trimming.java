package io.plat.apiserver.storage;

import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Decides which changes are too old to keep.
 *
 * <p>Beside the policy there is a bound on memory: a burst of writes may shorten the history, never exhaust the heap.
 */
final class Trimming {
    private final HistoryPolicy policy;
    private final long maxWeight;
    private final InstantSource clock;

    Trimming(StoreOptions options) {
        this.policy = options.history();
        this.maxWeight = options.maxHistoryBytes();
        this.clock = options.clock();
    }

    /** Drops what is too old from a history, and tells of each change that was. */
    void trim(History history, Consumer<Event> dropped) {
        long oldestTime = switch (policy) {
            case HistoryPolicy.Age age -> clock.millis() - age.age().toMillis();
            case HistoryPolicy.Changes changes -> Long.MIN_VALUE;
        };
        long most = switch (policy) {
            case HistoryPolicy.Age age -> Long.MAX_VALUE;
            case HistoryPolicy.Changes changes -> changes.changes();
        };
        for (History.Kept first = history.first(); first != null; first = history.first()) {
            if (first.time() >= oldestTime && history.length() <= most && history.weight() <= maxWeight) {
                return;
            }
            history.dropFirst();
            dropped.accept(first.event());
        }
    }

    /** After how many milliseconds without a change it is worth looking for what has grown old. */
    long idleMillis() {
        return switch (policy) {
            case HistoryPolicy.Age age -> Math.clamp(age.age().toMillis() / 10, 10, 1000);
            case HistoryPolicy.Changes changes -> 1000;
        };
    }
}
