package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Remembers what the log may forget because it is history no longer. Used by the writing thread only. */
final class Compaction {
    /** At most so many states are removed from the log together with one batch, so that no write waits long for it. */
    private static final int OBSOLETE_PER_WRITE = 2048;

    private final Deque<Long> obsolete = new ArrayDeque<>();

    /** The state that a change replaced is of no more use once the change is history, nor is the note of a deletion. */
    void forget(Event event) {
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

    /** Returns what the next write to the log may remove as well; stays pending until {@link #removed}. */
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
