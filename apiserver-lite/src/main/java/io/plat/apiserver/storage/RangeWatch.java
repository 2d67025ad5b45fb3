package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A cursor into the history in memory.
 *
 * <p>It is either caught up or pending: then {@code pending} is the place of the first change of its range that it may not
 * have delivered. Only a pending watch needs history; one that waits for weeks on a quiet range stays valid while everything
 * around it is compacted, and costs nothing meanwhile.
 */
final class RangeWatch implements Watch {
    private static final long CAUGHT_UP = -1;
    /** It knows the revision that it begins after, and no place yet. */
    private static final long NO_PLACE = -2;
    /** There was a change, or may have been, that nobody has kept. */
    private static final long LOST = History.View.GONE;

    private final KeyRange range;
    private final Supplier<Feed> feed;
    private final Runnable ready;
    private final Runnable onClose;

    private long pending = NO_PLACE;
    private long position;

    /**
     * What a poll looks at.
     *
     * @param announced every watch has been told of the changes up to this revision
     * @param state the state, read after that
     */
    record Feed(long announced, State state) {}

    RangeWatch(KeyRange range, long after, Supplier<Feed> feed, Signals signals) {
        this.range = range;
        this.feed = feed;
        this.ready = signals.ready();
        this.onClose = signals.onClose();
        this.position = after;
    }

    /** Whom a watch calls. */
    record Signals(Runnable ready, Runnable onClose) {}

    /** Told by the store, in order, of every published change of its resource. */
    void announce(History.Kept change) {
        if (!range.contains(change.event().key())) {
            return;
        }
        synchronized (this) {
            if (pending != CAUGHT_UP || change.revision() <= position) {
                return;
            }
            pending = change.place();
        }
        ready.run();
    }

    /** Told by the store that nobody knows which changes there were before the present state. */
    void lose() {
        synchronized (this) {
            pending = LOST;
        }
        ready.run();
    }

    @Override
    public synchronized Batch poll(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("not a number of changes: " + limit);
        }
        Feed now = feed.get();
        if (pending == CAUGHT_UP) {
            position = Math.max(position, now.announced());
            return new Batch.Events(List.of(), position);
        }
        State state = now.state();
        if (pending == NO_PLACE) {
            pending = state.events().firstAfter(position);
        }
        return pending == LOST ? new Batch.Gone(feed.get().state().floor()) : read(state, limit);
    }

    private Batch read(State state, int limit) {
        var events = new ArrayList<Event>();
        for (long newest = state.events().newest(); pending <= newest; pending++) {
            Event event = state.events().at(pending);
            if (event == null) {
                return events.isEmpty()
                        ? new Batch.Gone(feed.get().state().floor())
                        : new Batch.Events(events, position);
            }
            // Of a revision with several changes nothing is delivered for good before the last of them.
            position = Math.max(position, event.revision() - 1);
            if (events.size() == limit) {
                return new Batch.Events(events, position);
            }
            if (range.contains(event.key())) {
                events.add(event);
            }
        }
        pending = CAUGHT_UP;
        position = Math.max(position, state.revision());
        return new Batch.Events(events, position);
    }

    @Override
    public void close() {
        onClose.run();
    }
}
