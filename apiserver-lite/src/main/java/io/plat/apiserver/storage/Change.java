package io.plat.apiserver.storage;

import java.util.List;

/**
 * Everything that happened under one revision.
 *
 * @param revision the revision of every event
 * @param events what changed, at least one event; several only where somebody else's transaction made them
 * @param time milliseconds since the epoch; never less than that of the change before
 * @param tree the objects after it
 */
public record Change(long revision, List<Event> events, long time, Tree tree) {
    /** The cost of an event beside its value: objects, references, the copied path of the tree. */
    private static final long OVERHEAD = 1024;

    public Change {
        events = List.copyOf(events);
    }

    /** A change of one key. */
    public Change(Event event, long time, Tree tree) {
        this(event.revision(), List.of(event), time, tree);
    }

    /** Returns about how many bytes of memory it keeps. */
    long weight() {
        long weight = 0;
        for (Event event : events) {
            weight += event.entry().value().length + OVERHEAD;
        }
        return weight;
    }
}
