package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.function.Supplier;

/**
 * A cursor into the history in memory.
 *
 * <p>It is either caught up or pending: then {@code pending} is the revision of the first change of its range that it may not
 * have delivered. Only a pending watch needs history; one that waits for weeks on a quiet range stays valid while everything
 * around it is compacted, and costs nothing meanwhile.
 */
final class RangeWatch implements Watch {
    private static final long CAUGHT_UP = 0;

    private final KeyRange range;
    private final Supplier<Feed> feed;
    private final Runnable ready;
    private final Runnable onClose;

    private long pending;
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
        this.pending = after + 1;
        this.position = after;
    }

    /** Whom a watch calls. */
    record Signals(Runnable ready, Runnable onClose) {}

    /** Told by the store, in order, of every published change of its resource. */
    void announce(Event event) {
        if (!range.contains(event.key())) {
            return;
        }
        synchronized (this) {
            if (pending != CAUGHT_UP || event.revision() <= position) {
                return;
            }
            pending = event.revision();
        }
        ready.run();
    }

    @Override
    public synchronized Batch poll(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("not a number of changes: " + limit);
        }
        Feed now = feed.get();
        var events = new ArrayList<Event>();
        if (pending == CAUGHT_UP) {
            position = Math.max(position, now.announced());
            return new Batch.Events(events, position);
        }
        long newest = now.state().revision();
        for (long revision = pending; revision <= newest; revision++) {
            if (events.size() == limit) {
                pending = revision;
                position = revision - 1;
                return new Batch.Events(events, position);
            }
            Event event = now.state().events().at(revision);
            if (event == null) {
                pending = revision;
                position = Math.max(position, revision - 1);
                return events.isEmpty()
                        ? new Batch.Gone(feed.get().state().floor())
                        : new Batch.Events(events, position);
            }
            if (range.contains(event.key())) {
                events.add(event);
            }
        }
        pending = CAUGHT_UP;
        position = Math.max(position, newest);
        return new Batch.Events(events, position);
    }

    @Override
    public void close() {
        onClose.run();
    }
}
