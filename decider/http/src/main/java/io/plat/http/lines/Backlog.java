package io.plat.http.lines;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Bounded queue of events between the recording threads and the one thread that writes. Many threads may offer, one takes. */
final class Backlog<T> {
    private final BlockingQueue<PendingEvent<T>> queue;
    private final AtomicLong bytes = new AtomicLong();
    private final long maxBytes;
    /** Set from an event that was not written in time until the next one that is written. */
    volatile boolean stalled;

    Backlog(LineLog.Limits limits) {
        queue = new LinkedBlockingQueue<>(limits.events());
        maxBytes = limits.bytes();
    }

    /** Adds an event without blocking; returns false if there is no room. */
    boolean offer(PendingEvent<T> pending) {
        if (bytes.addAndGet(pending.bytes()) <= maxBytes && queue.offer(pending)) {
            return true;
        }
        release(pending);
        return false;
    }

    /** Adds the end marker; returns false if there is no room within the time limit. */
    boolean end(Duration timeout) throws InterruptedException {
        return queue.offer(new PendingEvent<>(null, 0, null), timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits for the next event. */
    PendingEvent<T> take() throws InterruptedException {
        return queue.take();
    }

    /** Takes available events, up to a maximum number. */
    void drainTo(Collection<? super PendingEvent<T>> items, int max) {
        queue.drainTo(items, max);
    }

    /** Releases the memory of an event that was taken. */
    void release(PendingEvent<T> pending) {
        bytes.addAndGet(-pending.bytes());
    }

    /** Returns whether a batch should be written: this many events are queued, or so many bytes that there may soon be no room. */
    boolean isNearlyFull(int max) {
        return queue.size() >= max || bytes.get() > maxBytes / 2;
    }

    /** Returns the number of queued events. */
    int size() {
        return queue.size();
    }

    /**
     * A queued event.
     *
     * @param event the event; null for the end of the log, after which there is none
     * @param bytes its approximate memory
     * @param written completed with whether its line was written, or with false by a caller that no longer waits; null if no caller waits
     */
    record PendingEvent<T>(
            @Nullable T event, int bytes, @Nullable CompletableFuture<Boolean> written) {
        /** Returns whether the line is still needed: not if its caller stopped waiting and responded. */
        boolean isWanted() {
            return written == null || !written.isDone();
        }

        void done(boolean success) {
            if (written != null) {
                written.complete(success);
            }
        }
    }
}
