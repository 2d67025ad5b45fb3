package io.plat.process;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Limit of a log message to once in an interval. Thread-safe. */
public final class LogRateLimit {
    private final long interval;
    private final LongSupplier nanoTime;
    private final AtomicLong until;
    private final AtomicLong suppressed = new AtomicLong();

    /**
     * Creates the limit of a message to once a minute.
     *
     * @param nanoTime as {@link System#nanoTime}
     */
    public LogRateLimit(LongSupplier nanoTime) {
        this(Duration.ofMinutes(1), nanoTime);
    }

    /** Creates the limit of a message to once in an interval. */
    public LogRateLimit(Duration interval, LongSupplier nanoTime) {
        this.interval = interval.toNanos();
        this.nanoTime = nanoTime;
        this.until = new AtomicLong(nanoTime.getAsLong());
    }

    /** Logs the message unless one was logged within the last interval. */
    public void unlessRecent(Runnable message) {
        unlessRecent(count -> message.run());
    }

    /** Does the same; the message receives the number of messages suppressed since the last one. */
    public void unlessRecent(LongConsumer message) {
        long now = nanoTime.getAsLong();
        long end = until.get();
        if (now - end >= 0 && until.compareAndSet(end, now + interval)) {
            message.accept(suppressed.getAndSet(0));
        } else {
            suppressed.incrementAndGet();
        }
    }

    /** Logs the next message even if one was logged within the last interval. */
    public void reset() {
        until.set(nanoTime.getAsLong());
    }
}
