package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * Watch implemented as a cursor into the history in memory.
 *
 * <p>It is either caught up or behind at any time. Only a watch that is behind needs history; a watch on a quiet range stays valid while
 * everything else is compacted, at no cost.
 */
final class RangeWatch implements Watch {
    private final KeyRange range;
    private final Source source;
    private final Runnable ready;
    private final History history;

    /** Revision up to which everything was delivered. */
    private long position;

    /** Number of examined events of the next revision. */
    private int seen;

    private boolean caughtUp;
    /** True if a change was, or may have been, missed. */
    private boolean lost;

    interface Source {
        /** Returns the revision up to which every watch was notified. */
        long notifiedRevision();

        StoreState state();

        void closed(KeyRange range, RangeWatch watch);
    }

    RangeWatch(KeyRange range, long after, Source source, Runnable ready) {
        this.range = range;
        this.position = after;
        this.source = source;
        this.ready = ready;
        this.history = source.state().history();
    }

    /** Notifies of an event of its resource; called in order. */
    void notifyOf(Event event) {
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

    void lose() {
        synchronized (this) {
            lost = true;
        }
        ready.run();
    }

    @Override
    public synchronized Batch poll(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("the number of changes must be positive: " + limit);
        }
        // The order matters: changes in the state beyond this will still be announced.
        long notifiedRevision = source.notifiedRevision();
        StoreState state = source.state();
        // A restart is announced too, but later.
        lost |= state.history() != history;
        if (caughtUp && !lost) {
            position = Math.max(position, notifiedRevision);
            return new Batch.Events(List.of(), position);
        }
        var events = new ArrayList<Event>();
        long from = position;
        caughtUp = !lost && read(state, limit, events);
        lost |= history.floor() > from;
        return lost ? new Batch.Gone(state.floor()) : new Batch.Events(events, position);
    }

    private boolean read(StoreState state, int limit, List<Event> events) {
        for (Change change : history.between(position, state.revision())) {
            for (; seen < change.events().size(); seen++) {
                if (events.size() == limit) {
                    // A revision with several changes is delivered completely or not at all.
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
