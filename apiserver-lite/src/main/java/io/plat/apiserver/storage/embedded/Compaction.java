package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Tracks states in the log that are no longer needed by history. Used by the writer thread only. */
final class Compaction {
    /** Maximum number of states that are removed from the log with one batch, so that no write takes long for it. */
    private static final int OBSOLETE_PER_WRITE = 2048;

    private final Deque<Long> obsolete = new ArrayDeque<>();

    /** Marks the state that a change replaced, or the record of a deletion, as obsolete once the change leaves history. */
    void forget(Event event) {
        Entry previous = event.previous();
        if (previous != null) {
            obsolete.add(previous.revision());
        }
        if (event.type() == Event.Type.DELETED) {
            obsolete.add(event.revision());
        }
    }

    void obsolete(long revision) {
        obsolete.add(revision);
    }

    boolean pending() {
        return !obsolete.isEmpty();
    }

    /** Returns the revisions to remove with the next write; they stay pending until {@link #removed}. */
    List<Long> nextObsolete() {
        return obsolete.isEmpty()
                ? List.of()
                : obsolete.stream().limit(OBSOLETE_PER_WRITE).toList();
    }

    void removed(int count) {
        for (int i = 0; i < count; i++) {
            obsolete.removeFirst();
        }
    }
}
