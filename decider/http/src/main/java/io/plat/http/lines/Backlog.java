package io.plat.http.lines;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Bounded queue of events between the recording threads and the one thread that writes. Any number of threads may offer, one takes. */
final class Backlog<T> {
    private final BlockingQueue<PendingEvent<T>> queue;
    private final AtomicLong bytes = new AtomicLong();
    private final long maxBytes;

    Backlog(LineLog.Limits limits) {
        queue = new LinkedBlockingQueue<>(limits.events());
        maxBytes = limits.bytes();
    }

    /** Adds an event and never waits; returns false where there is no room. */
    boolean offer(PendingEvent<T> pending) {
        if (bytes.addAndGet(pending.bytes()) <= maxBytes && queue.offer(pending)) {
            return true;
        }
        release(pending);
        return false;
    }

    /** Adds the end marker; returns false if there is no room within the time limit. */
    boolean end(Duration patience) throws InterruptedException {
        return queue.offer(new PendingEvent<>(null, 0, null), patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits for the next event. */
    PendingEvent<T> take() throws InterruptedException {
        return queue.take();
    }

    /** Takes available events, up to a number. */
    void drainTo(Collection<? super PendingEvent<T>> items, int most) {
        queue.drainTo(items, most);
    }

    /** Releases the memory of an event that was taken. */
    void release(PendingEvent<T> pending) {
        bytes.addAndGet(-pending.bytes());
    }

    /** Returns whether this many events are queued, or so many bytes that there may soon be no room. */
    boolean presses(int most) {
        return queue.size() >= most || bytes.get() > maxBytes / 2;
    }

    /** Returns the number of queued events. */
    int size() {
        return queue.size();
    }
}
