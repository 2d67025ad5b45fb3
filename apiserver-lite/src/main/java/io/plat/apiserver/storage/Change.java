package io.plat.apiserver.storage;

import java.util.List;

/**
 * All events of one revision.
 *
 * @param events events, at least one; several only in a foreign transaction
 * @param time milliseconds since the epoch; never less than that of the previous change
 */
public record Change(long revision, List<Event> events, long time, Tree tree) {
    /** Memory of an event besides its value: objects, references, the copied path of the tree. */
    private static final long OVERHEAD = 1024;

    public Change {
        events = List.copyOf(events);
    }

    public Change(Event event, long time, Tree tree) {
        this(event.revision(), List.of(event), time, tree);
    }

    /** Returns the approximate memory that it retains, in bytes. */
    long weight() {
        long weight = 0;
        for (Event event : events) {
            weight += event.entry().value().length + OVERHEAD;
        }
        return weight;
    }
}
