package io.plat.apiserver.storage;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Decides which changes are too old to keep, and remembers what the log may forget because of that.
 *
 * <p>Beside the policy there is a bound on memory: a burst of writes may shorten the history, never exhaust the heap. Used by the
 * writing thread only.
 */
final class Compaction {
    /** At most so many states are removed from the log together with one batch, so that no write waits long for it. */
    private static final int OBSOLETE_PER_WRITE = 2048;

    private final HistoryPolicy policy;
    private final long maxWeight;
    private final InstantSource clock;
    private final Deque<Long> obsolete = new ArrayDeque<>();

    Compaction(HistoryPolicy policy, long maxWeight, InstantSource clock) {
        this.policy = policy;
        this.maxWeight = maxWeight;
        this.clock = clock;
    }

    /** Drops what is too old from the history. */
    void trim(History history) {
        long oldestTime = switch (policy) {
            case HistoryPolicy.Age age -> clock.millis() - age.age().toMillis();
            case HistoryPolicy.Changes changes -> Long.MIN_VALUE;
        };
        long most = switch (policy) {
            case HistoryPolicy.Age age -> Long.MAX_VALUE;
            case HistoryPolicy.Changes changes -> changes.changes();
        };
        for (Change first = history.first(); first != null; first = history.first()) {
            if (first.time() >= oldestTime && history.length() <= most && history.weight() <= maxWeight) {
                return;
            }
            history.dropFirst();
            forget(first.event());
        }
    }

    /** The state that a change replaced is of no more use once the change is history, nor is the note of a deletion. */
    private void forget(Event event) {
        Entry previous = event.previous();
        if (previous != null) {
            obsolete.add(previous.revision());
        }
        if (event.type() == Event.Type.DELETED) {
            obsolete.add(event.revision());
        }
    }

    /** The log holds a state that nothing needs. */
    void obsolete(long revision) {
        obsolete.add(revision);
    }

    boolean pending() {
        return !obsolete.isEmpty();
    }

    /** What the next write to the log may remove as well; stays pending until {@link #removed}. */
    List<Long> nextObsolete() {
        var next = new ArrayList<Long>(Math.min(obsolete.size(), OBSOLETE_PER_WRITE));
        for (Long revision : obsolete) {
            if (next.size() == OBSOLETE_PER_WRITE) {
                break;
            }
            next.add(revision);
        }
        return next;
    }

    /** So many of the first are gone from the log. */
    void removed(int count) {
        for (int i = 0; i < count; i++) {
            obsolete.removeFirst();
        }
    }
}
