package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * A cursor into the history in memory.
 *
 * <p>It is either caught up or behind. Only one that is behind needs history; one that waits for weeks on a quiet range stays valid while
 * everything around it is compacted, and costs nothing meanwhile.
 */
final class RangeWatch implements Watch {
    private final KeyRange range;
    private final Source source;
    private final Runnable ready;
    private final History history;

    /** Everything up to this revision was delivered. */
    private long position;

    /** The number of events of the next revision that were looked at already. */
    private int seen;

    private boolean caughtUp;
    /** There was a change, or may have been, that nobody has kept. */
    private boolean lost;

    /** The owner of a watch. */
    interface Source {
        /** The revision up to which every watch was notified of changes. */
        long announced();

        /** The newest state. */
        State state();

        /** Forgets a watch. */
        void closed(KeyRange range, RangeWatch watch);
    }

    RangeWatch(KeyRange range, long after, Source source, Runnable ready) {
        this.range = range;
        this.position = after;
        this.source = source;
        this.ready = ready;
        this.history = source.state().history();
    }

    /** Takes notice of a published event of its resource; called in order. */
    void announce(Event event) {
        if (!range.contains(event.key())) {
            return;
        }
        synchronized (this) {
            if (!caughtUp || event.revision() <= position) {
                return;
            }
            caughtUp = false;
            position = event.revision() - 1;
        }
        ready.run();
    }

    /** Ends: nobody knows which changes there were before the present state. */
    void lose() {
        synchronized (this) {
            lost = true;
        }
        ready.run();
    }

    @Override
    public synchronized Batch poll(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("not a number of changes: " + limit);
        }
        // The order matters: what the state shows beyond this will still be announced.
        long announced = source.announced();
        State state = source.state();
        // What began anew is notified too, but later.
        lost |= state.history() != history;
        if (caughtUp && !lost) {
            position = Math.max(position, announced);
            return new Batch.Events(List.of(), position);
        }
        var events = new ArrayList<Event>();
        long from = position;
        caughtUp = !lost && read(state, limit, events);
        lost |= history.floor() > from;
        return lost ? new Batch.Gone(state.floor()) : new Batch.Events(events, position);
    }

    /** Reads on; returns whether there is nothing more. */
    private boolean read(State state, int limit, List<Event> events) {
        for (Change change : history.between(position, state.revision())) {
            for (; seen < change.events().size(); seen++) {
                if (events.size() == limit) {
                    // Of a revision with several changes nothing is delivered for good before the last of them.
                    position = change.revision() - 1;
                    return false;
                }
                Event event = change.events().get(seen);
                if (range.contains(event.key())) {
                    events.add(event);
                }
            }
            seen = 0;
            position = change.revision();
        }
        position = Math.max(position, state.revision());
        return true;
    }

    @Override
    public void close() {
        source.closed(range, this);
    }
}
