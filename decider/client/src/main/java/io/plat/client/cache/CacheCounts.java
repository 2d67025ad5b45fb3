package io.plat.client.cache;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Numbers of events of a cache of decisions since its creation. Thread-safe. */
public final class CacheCounts {
    private final Map<Event, LongAdder> counts = new EnumMap<>(Event.class);

    /** Counted events. */
    public enum Event {
        /** A request whose decision was cached. */
        HIT,
        /** A request whose decision was not cached; huge requests are not looked up and not counted. */
        MISS,
        /** A decision that was evicted for lack of room. */
        SIZE,
        /** An entry that was found to be expired. */
        EXPIRED,
        /** A decision that was evicted because the policy changed. */
        REVISION,
        /** A decision that was not cached because its revision differed from that of the stream. */
        OUTDATED
    }

    CacheCounts() {
        EnumSet.allOf(Event.class).forEach(event -> counts.put(event, new LongAdder()));
    }

    void add(Event event, long count) {
        counter(event).add(count);
    }

    private LongAdder counter(Event event) {
        return Objects.requireNonNull(counts.get(event));
    }

    /** Returns the number of occurrences of an event. */
    public long of(Event event) {
        return counter(event).sum();
    }
}
