package io.plat.decider.log;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decisions between those who make them and the one thread that writes them, bounded. Any number of threads may offer, one takes.
 * A review in memory is at most some dozen times as large as its bytes.
 */
final class Backlog {
    private final BlockingQueue<Item> queue;
    private final AtomicLong bytes = new AtomicLong();
    private final long maxBytes;

    /** What is queued: decisions, and behind the last of them the end. */
    sealed interface Item {
        /** A decision. */
        record One(Pending pending) implements Item {}

        /** No more decisions. */
        record End() implements Item {}
    }

    /**
     * A queue.
     *
     * @param decisions how many it holds
     * @param bytes how large the reviews that it holds may have been together
     */
    record Limits(int decisions, long bytes) {}

    Backlog(Limits limits) {
        queue = new LinkedBlockingQueue<>(limits.decisions());
        maxBytes = limits.bytes();
    }

    /** Adds a decision and never waits; returns false where there is no room. */
    boolean offer(Pending pending) {
        int size = pending.decided().reviewBytes();
        if (bytes.addAndGet(size) <= maxBytes && queue.offer(new Item.One(pending))) {
            return true;
        }
        bytes.addAndGet(-size);
        return false;
    }

    /** Adds the end, behind what is there; returns false where there is no room for so long. */
    boolean end(Duration patience) throws InterruptedException {
        return queue.offer(new Item.End(), patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits for what comes next. */
    Item take() throws InterruptedException {
        return queue.take();
    }

    /** Takes what is there, up to a number. */
    void drainTo(Collection<? super Item> items, int most) {
        queue.drainTo(items, most);
    }

    /** A decision that was taken is no longer held. */
    void release(Pending pending) {
        bytes.addAndGet(-pending.decided().reviewBytes());
    }

    /** How many wait. */
    int size() {
        return queue.size();
    }
}
