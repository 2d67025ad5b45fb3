package io.plat.http.lines;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Events between those who hand them over and the one thread that writes them, bounded. Any number of threads may offer, one takes. */
final class Backlog<T> {
    private final BlockingQueue<Pending<T>> queue;
    private final AtomicLong bytes = new AtomicLong();
    private final long maxBytes;

    Backlog(LineLog.Limits limits) {
        queue = new LinkedBlockingQueue<>(limits.events());
        maxBytes = limits.bytes();
    }

    /** Adds an event and never waits; returns false where there is no room. */
    boolean offer(Pending<T> pending) {
        if (bytes.addAndGet(pending.bytes()) <= maxBytes && queue.offer(pending)) {
            return true;
        }
        release(pending);
        return false;
    }

    /** Adds the end, behind what is there; returns false where there is no room for so long. */
    boolean end(Duration patience) throws InterruptedException {
        return queue.offer(new Pending<>(null, 0, null), patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits for what comes next. */
    Pending<T> take() throws InterruptedException {
        return queue.take();
    }

    /** Takes what is there, up to a number. */
    void drainTo(Collection<? super Pending<T>> items, int most) {
        queue.drainTo(items, most);
    }

    /** An event that was taken is no longer held. */
    void release(Pending<T> pending) {
        bytes.addAndGet(-pending.bytes());
    }

    /** Whether this many wait, or so much that there may soon be no room. */
    boolean presses(int most) {
        return queue.size() >= most || bytes.get() > maxBytes / 2;
    }

    /** How many wait. */
    int size() {
        return queue.size();
    }
}
