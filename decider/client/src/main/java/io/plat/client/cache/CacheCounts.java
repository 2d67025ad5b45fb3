package io.plat.client.cache;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Numbers of events of a cache of decisions since its creation. Thread-safe. */
public final class CacheCounts {
    private final Map<Event, LongAdder> counts = new EnumMap<>(Event.class);

    public enum Event {
        /** A request whose decision was cached. */
        HIT,
        /** A request whose decision was not cached; huge ones are not looked for and not counted. */
        MISS,
        /** A decision that was evicted, as there was no room. */
        SIZE,
        /** An entry expired, and was found to be. */
        EXPIRED,
        /** A decision that was evicted because its decider's policy had changed. */
        REVISION,
        /** A decision that was not cached, as it was made under another revision than the decider's stream had sent. */
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

    /** Returns how often something happened. */
    public long of(Event event) {
        return counter(event).sum();
    }
}
